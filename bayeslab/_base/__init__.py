"""The ground floor, which nobody needs to read to understand the rest: checks, blocks, factors, labels, styles."""
