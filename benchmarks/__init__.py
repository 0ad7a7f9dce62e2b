"""This package compared with its peers, as ratios."""
