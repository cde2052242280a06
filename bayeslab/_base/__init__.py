"""What all files share: checks, blocks of rows, labels, styles, and the factors of a covariance (`factor`)."""
