"""Tests of the grader."""
