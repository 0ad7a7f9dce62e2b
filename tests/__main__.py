"""Check everything, one check after the other; or, given arguments of pytest, only the tests that they select.

python3 run.py test             everything; as root on Debian or Ubuntu, first install the programs that tests need
python3 run.py test --as-is     everything, with the programs that are there
python3 run.py test --quick     style, types and the quick tests, in about a minute
python3 run.py test -k margin   what pytest selects
"""

import os
import shlex
import subprocess
import sys
from pathlib import Path

from tests import programs

ROOT = Path(__file__).resolve().parents[1]
STYLE = ["ruff check .", "ruff format --check .", "mypy"]
QUICK = [
    *STYLE,
    "pytest -n auto --no-cov -m 'not slow' tests/package tests/test_project.py tests/test_run.py",
]
EVERYTHING = [
    *STYLE,
    # A notebook has one kernel. Homework is not finished, and is tested elsewhere.
    "pytest -n auto --dist loadfile --no-cov --nbval --nbval-current-env --ignore-glob=notebooks/hw* notebooks",
    # One worker more than cores, because some tests wait for a time limit.
    f"pytest -n {(os.cpu_count() or 1) + 1} --cov=plahelpers --cov-report=term-missing",
]


def call(module: str, *arguments: str) -> int:
    """Let Python run a module, wait until it has tidied up after Ctrl-C, and return the exit code as a shell would."""
    variables = {"PYTHONDONTWRITEBYTECODE": ""}  # hundreds of processes import the same files
    if "--nbval" in arguments:
        variables["TQDM_DISABLE"] = "1"  # a slow machine would show bars in a notebook
    process = subprocess.Popen([sys.executable, "-m", module, *arguments], cwd=ROOT, env=os.environ | variables)
    try:
        process.wait()
    except KeyboardInterrupt:
        process.wait()
        sys.exit(130)
    return process.returncode if process.returncode >= 0 else 128 - process.returncode


def run(checks: list[str]) -> int:
    """Run every check, even after one has failed; the first failure is the exit code."""
    failures = {}
    for number, check in enumerate(checks, 1):
        print(f"\n[{number}/{len(checks)}] {check}", flush=True)
        if code := call(*shlex.split(check)):
            failures[check] = code
    if failures:
        print(f"Failed: {'; '.join(failures)}", file=sys.stderr)
    return next(iter(failures.values()), 0)


def main(arguments: list[str]) -> int:
    if arguments == ["--quick"]:
        return run(QUICK)
    if arguments not in ([], ["--as-is"]):
        return call("pytest", "--no-cov", *arguments)
    if not arguments:
        programs.install()
    return run(EVERYTHING)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
