"""Imported by the server from which judges are forked: what judging needs is imported, compiled and loaded once."""

import signal

signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the command, not for the server or its judges

import plahelpers  # noqa: E402
from exercises.grader import pool  # noqa: E402, F401

X, y = plahelpers.running_example()
plahelpers.pla(X, y)
plahelpers.pocket(X, y, max_updates=2, rng=1)
