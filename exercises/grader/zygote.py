"""A warm Python inside bubblewrap, which forks a process for one student after the other. This file is its program.

To start Python and to import NumPy, Matplotlib and the compiled loops takes longer than to run a good notebook. So
that is done once, here, and no student's code is ever run in this process. Each student's process is a fork, in
namespaces of its own: it sees no other process, and no file that another student has written. It has no rights left
by which it could leave them, and when its first process ends, the system ends all the others.
"""

from __future__ import annotations

import ctypes
import gc
import importlib
import os
import pickle
import platform
import select
import socket
import sys
import warnings
from pathlib import Path
from typing import Any

_LIBRARIES = ("numpy", "matplotlib.pyplot", "psutil", "IPython.core.inputtransformer2")
_OURS = ("checks", "datasets", "experiments", "geometry", "guarantee", "homework", "hypothesis", "learning", "plots")
_WARM = (*_LIBRARIES, *(f"plahelpers.{name}" for name in _OURS))
MAX_TASKS = 40  # processes and threads at one time
MAX_ADDRESSES = 2**33  # bytes, most of them reserved and never used
MAX_OPEN_FILES = 128  # what is on its way in pipes and sockets is nobody's memory
MAX_FILES = 4096  # in a folder and those inside: what the system knows of a file is nobody's memory either
_NEW_MOUNTS, _NEW_IPC, _NEW_PIDS = 0x0002_0000, 0x0800_0000, 0x2000_0000
_READ_ONLY, _NO_SUID, _NO_DEVICES, _NO_PROGRAMS, _REMOUNT, _BIND = 1, 2, 4, 8, 32, 4096
_RECURSIVE, _PRIVATE = 1 << 14, 1 << 18

# System calls that are refused: by them one could make namespaces, or memory that is no process's and is not counted.
_REFUSED = {
    "x86_64": (0xC000_003E, {"clone": 56, "clone3": 435, "mmap": 9}, {
        "unshare": 272, "setns": 308, "memfd_create": 319, "memfd_secret": 447, "shmget": 29, "msgget": 68,
        "mq_open": 240, "add_key": 248, "request_key": 249, "keyctl": 250, "io_uring_setup": 425, "bpf": 321,
        "perf_event_open": 298, "userfaultfd": 323, "setxattr": 188, "lsetxattr": 189, "fsetxattr": 190,
        "setxattrat": 463,
    }),
    "aarch64": (0xC000_00B7, {"clone": 220, "clone3": 435, "mmap": 222}, {
        "unshare": 97, "setns": 268, "memfd_create": 279, "memfd_secret": 447, "shmget": 194, "msgget": 186,
        "mq_open": 180, "add_key": 217, "request_key": 218, "keyctl": 219, "io_uring_setup": 425, "bpf": 280,
        "perf_event_open": 241, "userfaultfd": 282, "setxattr": 5, "lsetxattr": 6, "fsetxattr": 7,
        "setxattrat": 463,
    }),
}  # fmt: skip
Request = tuple[str, list[str], float]  # the program, its arguments, and megabytes for its files
_NAMESPACES = 0x7E02_0000  # the flags of clone that make one
_SHARED, _NO_FILE = 0x01, 0x20  # flags of mmap
_LOAD, _IF_EQUAL, _IF_AT_LEAST, _IF_SET, _RETURN = 0x20, 0x15, 0x35, 0x45, 0x06
_ALLOW, _NOT_PERMITTED, _NOT_IMPLEMENTED = 0x7FFF_0000, 0x0005_0001, 0x0005_0026


def main(home: str, shared: str) -> None:
    """Warm up, then fork whenever the grader asks for it on standard input, which is a socket."""
    control = socket.socket(fileno=os.dup(0))
    os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
    with warnings.catch_warnings():  # at its end Python forgets which warnings it has shown
        warm_up()
    assert len([*Path("/proc/self/task").iterdir()]) == 1, "a fork has one thread only: there must be no other one"
    gc.collect()
    gc.freeze()  # what is here now is never looked at again by forks, which would copy it
    control.send(b"ready")
    while True:
        message, pipes, _, _ = socket.recv_fds(control, 65536, 3)
        if not message:
            return
        control.send(b"ended %d" % fork(control, pipes, home, shared, pickle.loads(message)))


def warm_up() -> None:
    """Import what notebooks import, and load the compiled loops."""
    for name in _WARM:
        importlib.import_module(name)
    importlib.import_module("plahelpers._loops").warm_up()


def fork(control: socket.socket, pipes: list[int], home: str, shared: str, request: Request) -> int:
    """Run one student's process; how it ended. Only a fork of a fork is in the new namespace of processes."""
    outside = os.fork()
    if outside:
        close(pipes)
        leave_with(control, outside)
        return wait_for(outside)
    call("unshare", _NEW_MOUNTS | _NEW_IPC | _NEW_PIDS)
    first = os.fork()
    if first == 0:
        os._exit(first_process(control, pipes, home, shared, request))
    control.close()
    close(pipes)
    os._exit(wait_for(first))


def leave_with(control: socket.socket, child: int) -> None:
    """Wait for a child's end. If the grader ends first, so do we at once, and with us all that we have started."""
    ending = os.pidfd_open(child)
    events = select.poll()
    events.register(ending, select.POLLIN)
    events.register(control, select.POLLIN)
    if (ending, select.POLLIN) not in events.poll():
        os._exit(1)
    os.close(ending)


def first_process(control: socket.socket, pipes: list[int], home: str, shared: str, request: Request) -> int:
    """Give up all rights, start the student's process, and wait for its end, which is the end of all others."""
    program, arguments, file_megabytes = request
    mount(home, shared, file_megabytes)
    control.send(b"started")  # with it the system tells our number, as it is outside
    control.close()
    give_up_rights()
    for k in (1, 2):  # what is written there, the grader reads: a student could open it by way of /proc/1/fd
        os.dup2(0, k)
    child = os.fork()
    if child == 0:
        for k, pipe in enumerate(pipes):
            os.dup2(pipe, k)
        close(pipes)
        student(home, program, arguments)
        os._exit(0)
    close(pipes)
    while True:
        pid, status = os.wait()
        if pid == child:
            return exit_code(status)


def student(home: str, program: str, arguments: list[str]) -> None:
    """The student's own process: as if Python had just been started there."""
    import numpy as np

    os.chdir(home)
    np.random.seed()
    space: dict[str, Any] = {"__name__": "student"}
    exec(compile(program, "<student>", "exec"), space)
    space["main"](*arguments)


def mount(home: str, shared: str, megabytes: float) -> None:
    """Empty folders to write to, a list of its own processes, and what we have written can only be read."""
    safe = _NO_SUID | _NO_DEVICES
    call("mount", b"none", b"/", None, _RECURSIVE | _PRIVATE, None)
    for folder, size in ((home, int(megabytes * 2**20)), ("/dev/shm", 2**20)):
        options = f"mode=700,size={size},nr_inodes={MAX_FILES}"
        call("mount", b"tmpfs", folder.encode(), b"tmpfs", safe, options.encode())
    call("mount", b"/dev/full", b"/dev/zero", None, _BIND, None)  # reads alike, but is no memory to be shared
    call("mount", b"proc", b"/proc", b"proc", safe | _READ_ONLY | _NO_PROGRAMS, None)
    call("mount", None, shared.encode(), None, safe | _REMOUNT | _BIND | _READ_ONLY, None)
    call("mount", None, b"/dev/pts", None, _NO_SUID | _NO_PROGRAMS | _REMOUNT | _BIND | _READ_ONLY, None)


def give_up_rights() -> None:
    import resource

    most = {"NPROC": MAX_TASKS, "NOFILE": MAX_OPEN_FILES, "AS": MAX_ADDRESSES}
    for kind, number in most.items():
        resource.setrlimit(getattr(resource, f"RLIMIT_{kind}"), (number, number))
    call("prctl", 47, 4, 0, 0, 0)  # no ambient capabilities
    call("capset", (ctypes.c_uint32 * 2)(0x2008_0522, 0), (ctypes.c_uint32 * 6)())  # no capabilities at all
    call("prctl", 38, 1, 0, 0, 0)  # and no program brings any
    refuse_system_calls()


def refuse_system_calls() -> None:
    """By a filter in the system (seccomp) that neither this process nor any that it starts can take off again."""
    architecture, others, refused = _REFUSED[platform.machine()]
    rules = [(_LOAD, 0, 0, 4), (_IF_EQUAL, 1, 0, architecture), (_RETURN, 0, 0, _NOT_PERMITTED), (_LOAD, 0, 0, 0)]
    for number in refused.values():
        rules += [(_IF_EQUAL, 0, 1, number), (_RETURN, 0, 0, _NOT_PERMITTED)]
    # The flags of clone3 lie where a filter cannot look. Where there is none, the C library takes clone.
    rules += [(_IF_EQUAL, 0, 1, others["clone3"]), (_RETURN, 0, 0, _NOT_IMPLEMENTED)]
    # Memory that is shared, and no file's, is counted no more once a process has let go of its pages.
    rules += [(_IF_EQUAL, 0, 5, others["mmap"]), (_LOAD, 0, 0, 40), (_IF_SET, 0, 2, _SHARED), (_IF_SET, 0, 1, _NO_FILE)]
    rules += [(_RETURN, 0, 0, _NOT_PERMITTED), (_RETURN, 0, 0, _ALLOW)]
    rules += [(_IF_AT_LEAST, 0, 1, 0x4000_0000), (_RETURN, 0, 0, _NOT_PERMITTED)]  # other numbers for the same calls
    rules += [(_IF_EQUAL, 1, 0, others["clone"]), (_RETURN, 0, 0, _ALLOW)]
    rules += [(_LOAD, 0, 0, 16), (_IF_SET, 0, 1, _NAMESPACES), (_RETURN, 0, 0, _NOT_PERMITTED), (_RETURN, 0, 0, _ALLOW)]
    code = b"".join(
        code.to_bytes(2, sys.byteorder) + bytes((yes, no)) + value.to_bytes(4, sys.byteorder)
        for code, yes, no, value in rules
    )
    buffer = ctypes.create_string_buffer(code, len(code))
    program = _Program(len(rules), ctypes.cast(buffer, ctypes.c_void_p))
    call("prctl", 22, 2, ctypes.byref(program), 0, 0)


class _Program(ctypes.Structure):
    _fields_ = (("length", ctypes.c_ushort), ("rules", ctypes.c_void_p))


def call(name: str, *arguments: Any) -> None:
    """Call a function of the C library that returns 0, or the reason why not."""
    if getattr(ctypes.CDLL(None, use_errno=True), name)(*arguments):
        number = ctypes.get_errno()
        raise OSError(number, f"{name}: {os.strerror(number)}")


def wait_for(pid: int) -> int:
    return exit_code(os.waitpid(pid, 0)[1])


def exit_code(status: int) -> int:
    """As shells tell it: a signal's number plus 128."""
    code = os.waitstatus_to_exitcode(status)
    return code if code >= 0 else 128 - code


def close(pipes: list[int]) -> None:
    for pipe in pipes:
        os.close(pipe)
