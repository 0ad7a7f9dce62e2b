"""Tests of plahelpers."""
