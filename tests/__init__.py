"""The tests, in folders named like what they test."""
