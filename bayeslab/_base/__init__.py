"""What nobody needs to read to understand the package: checks, blocks of rows, factors, fast paths, styles."""
