"""Tests of the book, the decks and JupyterLab."""
