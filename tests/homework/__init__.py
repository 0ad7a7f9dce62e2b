"""Tests of the homework."""
