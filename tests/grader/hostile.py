"""Cells that attack the grader or come to grief, and what the student's page says of each. Each once did harm."""

import json

from plahelpers._outcome import encode

_CTYPES = "import ctypes, os\nlibc = ctypes.CDLL(None)\n"
_EAT = "eaten = []\nwhile True: eaten.append(bytearray(10**7))"
_RIGHTS = """status = dict(line.split(":\\t", 1) for line in open("/proc/self/status") if ":\\t" in line)
rights = [int(status[name], 16) for name in ("CapInh", "CapPrm", "CapEff", "CapAmb")]
raise ValueError(rights)"""
_EATERS = """import os, time
for _ in range(12):
    if os.fork() == 0:
        x = b'x' * 10**8
        time.sleep(99)
time.sleep(99)"""
_FORGES = """
import os, threading
def write():
    for line in [{0}] * {1}:
        for pipe in range(3, 12):
            try:
                os.write(pipe, line)
            except OSError:
                pass
threading.Timer(0.2, write).start()
"""

# What cells do that are put into a solved notebook, a notebook for each group: they cost no points, and these words are
# said. A group holds at most five cells that end the process: so often it is started anew.
HARM = {
    "greedy": {
        "endless": ("while True: pass", "stopped. Does its loop ever end? It was at line 1 of code cell 3"),
        "timeless": ("import time\ntime.process_time = time.monotonic = lambda: 0.0\nwhile True: pass", "code cell 4"),
        "asleep": ("import time\ntime.sleep(1e6)", "Code cell 5: it ran into the time limit"),
        "eaters": (_EATERS, "Code cell 6: it needed more than 1024 MB of memory"),
        "printer": ("while True: print('again' * 10_000)", "it printed more than"),
    },
    "leaving": {
        "eater": (_EAT, "cell 3: it needed more than 1024 MB"),
        "reserver": ("eaten = bytearray(64 * 2**30)", "cell 4: it needed more than 1024 MB"),
        "hidden": (f"{_CTYPES}libc.prctl(4, 0, 0, 0, 0)\n{_EAT}", "cell 5: it needed more than 1024 MB"),
        "leaver": ("import os\nos.kill(os.getpid(), 9)", "ended the process it ran in (exit status "),
        "closer": ("import os\nos.closerange(0, 200)", "Code cell 7: it ended the process it ran in"),
        "namer": ("raise type('C' * 10**6, (Exception,), {})('m' * 10**6)", "it raised CCCCC"),
        "exiter": ("import sys\nsys.exit(0)", "called sys.exit"),
        "patcher": ("import plahelpers.checks as c\nc.mistakes = c.pla = c.number = lambda *_, **__: 100", ""),
    },
}

_FILL = "with open({!r}, 'wb') as file:\n    while True: file.write(bytes(10**6))"

# What cells try that are put into a solved notebook, with bubblewrap. It fails, costs no points, and is said. Those
# whose processes and threads would be in the way of the others stand at the end.
REACH = {
    "network": ("import socket\nsocket.create_connection(('192.0.2.1', 80), timeout=3)", "Network is unreachable"),
    "filler": (_FILL.format("big"), "File too large"),
    "shm-filler": (_FILL.format("/dev/shm/big"), "No space left on device"),
    "parent": ("import os\nos.kill(os.getppid(), 9)\nassert os.getppid() != 1, 'the parent lives'", "the parent lives"),
    "rights": (_RIGHTS, "ValueError: [0, 0, 0, 0]"),
    "sysctl": ("open('/proc/sys/kernel/core_pattern', 'r+b')", "'/proc/sys/kernel/core_pattern'"),
    "writer": ("open('/usr/left', 'w')", "'/usr/left'"),
    "package": ("open('/template/course/plahelpers/__init__.py', 'a')", "'/template/course/plahelpers/__init__.py'"),
    "namespace": (f"{_CTYPES}assert libc.unshare(0x10000000) == 0, 'no namespace'", "no namespace"),
    "mount": (f"{_CTYPES}assert libc.mount(b'tmpfs', b'/mnt', b'tmpfs', 0, None) == 0, 'no mount'", "no mount"),
    "open-files": ("files = [open('/dev/null') for _ in range(1000)]", "Too many open files"),
    "processes": ("import glob\nassert len(glob.glob('/proc/[0-9]*')) > 5, 'no other process'", "no other process"),
    "everybody": (f"{_CTYPES}libc.kill(-1, 9)\nraise ValueError('all are ended that can be')", "all are ended"),
    "forks": (f"{_CTYPES}assert min(libc.fork() for _ in range(50)) >= 0, 'no more'\nos._exit(0)", "no more"),
    "threads": ("import threading\nfor _ in range(100): threading.Timer(9, print).start()", "can't start new thread"),
}


def _answer(value=None, **fields):
    """A line as a student's process writes it to the judge, as Python writes it."""
    return repr(json.dumps({**json.loads(encode("returned", value)), **fields}).encode() + b"\n")


# Lines that are written to the judge by somebody who knows how answers look; in a blank notebook they gain nothing.
FORGED = {
    "infinite": _answer([{"tuple": [float("inf"), []]}]),
    "array": _answer({"tuple": [{"array": "f8", "shape": [1], "items": [0]}, 1]}),
    "function": _answer({"tuple": ["function", None]}),
    "our-file": _answer(kind="raised", error="E", file="/etc/passwd", line=1),
    "deep": r"b'[' * 100_000 + b'\n'",
    "oversize": r"b'x' * 5_000_000 + b'\n'",
}


def forges(*lines: str, times: int = 1) -> str:
    """Answers, without having been asked."""
    return _FORGES.format(", ".join(lines), times)


# Files that are no notebooks, or notebooks out to hurt who reads them; {name: (bytes, words of the reason)}.
NO_NOTEBOOKS = {
    "zip": (b"PK\x03\x04\xff\xfe\x00", "not a notebook"),
    "deep": (b"[" * 200_000, "not a notebook"),
    "many-cells": (b'{"cells": [' + b"{}," * 5_000_000 + b"{}]}", "5,000,003 braces and brackets"),
    "huge": (b" " * (21 * 2**20), "more than 20 are not read"),
}
