"""Cells that attack the sandbox itself. Each of them once did harm."""

WRITES_SYSCTLS = """
harmed = []
for path in ("/proc/sys/kernel/core_pattern", "/proc/sys/vm/overcommit_memory", "/proc/sysrq-trigger"):
    try:
        open(path, "r+b").close()
        harmed.append(path)
    except OSError:
        pass
"""
WHO_AM_I = """
status = dict(line.split(":\\t", 1) for line in open("/proc/self/status").read().splitlines() if ":\\t" in line)
rights = [int(status[name], 16) for name in ("CapInh", "CapPrm", "CapEff", "CapAmb")]
mapped = open("/proc/self/uid_map").read().split()
"""
_CTYPES = """
import ctypes, os, platform
libc = ctypes.CDLL(None, use_errno=True)
def refused(name, *arguments):
    return getattr(libc, name)(*arguments) == -1
"""
MAKES_NAMESPACES = f"""{_CTYPES}
flags = {{"user": 0x10000000, "mount": 0x20000, "pid": 0x20000000, "net": 0x40000000}}
CLONE = {{"x86_64": 56, "aarch64": 220}}[platform.machine()]
made = [name for name, flag in flags.items() if not refused("unshare", flag)]
pid = libc.syscall(CLONE, 0x10000000 | 17, 0, 0, 0, 0)
if pid == 0:
    os._exit(0)
if pid > 0:
    made.append("clone")
    os.waitpid(pid, 0)
"""
MOUNTS = f"""{_CTYPES}
mounted = not refused("mount", b"tmpfs", b"/dev/shm", b"tmpfs", 0, None)
unmounted = not refused("umount2", b"/home/student", 2) or not refused("umount2", b"/proc", 2)
written = []
for path in ("/", "/course", "/course/packages", "/course/packages/plahelpers", "/template", "/dev", "/usr", "/proc"):
    try:
        open(path + "/left", "w").close()
        written.append(path)
    except OSError:
        pass
"""
HIDES_MEMORY = f"""{_CTYPES}
MEMFD_SECRET = 447
hidden = []
if not refused("memfd_create", b"x", 0): hidden.append("memfd")
if not refused("syscall", MEMFD_SECRET, 0): hidden.append("secret")
if not refused("shmget", 0, 2**26, 0o1600): hidden.append("shm")
if not refused("msgget", 0, 0o1600): hidden.append("messages")
import mmap
for file in (-1, os.open("/dev/zero", os.O_RDWR)):
    try:
        memory = mmap.mmap(file, 2**20)
        memory.madvise(mmap.MADV_DONTNEED)
        hidden.append("shared")
    except OSError:
        pass
if not refused("mq_open", b"/x", 0o102, 0o600, None): hidden.append("mqueue")
"""
EATS_MEMORY_UNSEEN = f"""{_CTYPES}
libc.prctl(4, 0, 0, 0, 0)
eaten = []
while True:
    eaten.append(bytearray(10**7))
"""
EATS_MEMORY_IN_CHILDREN = """
import os, time
def eat():
    for _ in range(10):
        if os.fork() == 0:
            eaten = b"x" * (60 * 10**6)
            time.sleep(1000)
    time.sleep(1000)
eat()
"""
MAPS_A_FILE_OVER_AND_OVER = """
import mmap
with open("file", "wb") as file:
    file.write(bytes(10**7))
file, maps, refused = open("file", "r+b"), [], False
try:
    while len(maps) < 2000:
        maps.append(mmap.mmap(file.fileno(), 10**7))
except OSError:
    refused = True
"""
FORKS_BY_CTYPES = f"""{_CTYPES}
import time
started = []
while len(started) < 200:
    pid = libc.fork()
    if pid == 0:
        time.sleep(1000)
        os._exit(0)
    if pid < 0:
        break
    started.append(pid)
count = len(started)
"""
LEAVES_TRACES = """
import contextlib, os, subprocess, sys
import numpy as np, plahelpers, builtins
open("trace", "w").close()
open("/dev/shm/trace", "w").close()
plahelpers.trace_of_mine = builtins.trace_of_mine = np.trace_of_mine = True
os.environ["TRACE"] = "1"
np.random.seed(1)
np.seterr(all="raise")
subprocess.Popen([sys.executable, "-c", "import time; time.sleep(1000)"], start_new_session=True)
for k in range(3):
    with contextlib.suppress(OSError), open(f"/proc/1/fd/{k}", "w") as file:
        file.write("a trace")
with contextlib.suppress(OSError):
    os.utime("/dev/pts/ptmx", (1, 1))
with contextlib.suppress(OSError):
    os.chmod("/dev/pts/ptmx", 0)
"""
LOOKS_FOR_TRACES = """
import contextlib, os
import numpy as np, plahelpers, builtins
found = os.listdir(".") + os.listdir("/dev/shm") + [name for name in os.environ if name == "TRACE"]
found += [str(each) for each in (plahelpers, builtins, np) if hasattr(each, "trace_of_mine")]
found += [pid for pid in os.listdir("/proc") if pid.isdigit() and int(pid) > 2]
found += ["errors"] * (np.geterr()["divide"] != "warn")
for k in range(3):
    with contextlib.suppress(OSError), open(f"/proc/1/fd/{k}") as file:
        found += [file.name] * bool(file.read(1))
found += ["pts"] * (os.stat("/dev/pts/ptmx").st_mtime == 1 or not os.access("/dev/pts/ptmx", os.W_OK))
"""
MAKES_FILES = """
import os, struct
def refused(make):
    try:
        make()
    except OSError:
        return True
    return False
def many():
    for k in range(5000):
        open(f"{folder}/{k}", "w").close()
limited = []
for folder in (".", "/dev/shm"):
    limited.append(refused(many))
entries = [(1, 7, -1), *[(2, 7, 1000)] * 8000, (4, 7, -1), (16, 7, -1), (32, 7, -1)]
rights = struct.pack("<I", 2) + b"".join(struct.pack("<HHi", *each) for each in entries)
limited.append(refused(lambda: os.setxattr("0", "system.posix_acl_access", rights)))
"""
SIXTEEN_BUSY = """
import os
def f():
    for _ in range(16):
        if os.fork() == 0:
            os.setsid()
            while True: pass
    while True: pass
"""
PUTS_THE_CLOCK_BACK = """
import time
def f():
    time.process_time = time.monotonic = lambda: 0.0
    while True: pass
"""
CLOSES_EVERYTHING = "import os\nos.closerange(0, 200)"
SIGNALS_ALL = "import ctypes\nctypes.CDLL(None).kill(-1, 9)"
SIGNALS_THE_FIRST = "import ctypes\nctypes.CDLL(None).kill(1, 9)\nalive = True"


def forges(answer: bytes) -> str:
    """Answers, without having been asked, for as long as it lives."""
    return f"""
import os, threading
def write():
    while True:
        for pipe in range(3, 12):
            try:
                os.write(pipe, {answer!r})
            except OSError:
                pass
threading.Thread(target=write, daemon=True).start()
"""


NONSENSE = [
    b'["kind"]\n',
    b'"kind"\n',
    b'{"kind": ["returned"]}\n',
    b'{"kind": "returned", "value": {"list": [{"tuple": [Infinity, {"list": []}]}]}}\n',
    b'{"kind": "returned", "value": {"tuple": [{"array": "f8", "shape": [0], "data": ""}, 1]}}\n',
    b'{"kind": "returned", "value": {"tuple": [{"str": "function"}, {"list": [{"tuple": [1, 2, 3]}]}]}}\n',
    b'{"kind": "raised", "line": NaN}\n',
    b"[" * 100_000 + b"\n",
    b"9" * 100_000 + b"\n",
    b"x" * 3_000_000 + b"\n",
    b'{"kind": "ready"}\n',
]
