"""Imported by the server from which judges are forked: what judging needs is imported, compiled and loaded once."""

import gc
import signal

signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the command, not for the server or its judges

from exercises.grader import pool  # noqa: E402, F401
from plahelpers import _loops  # noqa: E402

_loops.warm_up()
gc.freeze()  # what judges never look at stays in one place for all of them
