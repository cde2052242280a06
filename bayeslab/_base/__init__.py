"""What all files share: checks, labels, blocks of rows, fits that change all or nothing, and messages."""
