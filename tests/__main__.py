"""Check everything, one check after the other; or, given arguments, only let pytest run what they select."""

import os
import subprocess
import sys

CHECKS = [
    "ruff check .",
    "ruff format --check .",
    "mypy",
    "pytest -n auto --dist worksteal --cov=plahelpers --cov-report=term-missing",
    # A notebook has one kernel. Homework is not finished, and is tested elsewhere.
    "pytest -n auto --dist loadfile --no-cov --nbval --nbval-current-env --ignore-glob=notebooks/hw* notebooks",
]


def call(module: str, *arguments: str) -> int:
    """Let Python run a module, wait until it has tidied up after Ctrl-C, and return the exit code as a shell would."""
    quiet = {"TQDM_DISABLE": "1"} if "--nbval" in arguments else {}  # a slow machine would show bars in a notebook
    process = subprocess.Popen([sys.executable, "-m", module, *arguments], env=os.environ | quiet)
    try:
        process.wait()
    except KeyboardInterrupt:
        process.wait()
        sys.exit(130)
    return process.returncode if process.returncode >= 0 else 128 - process.returncode


def check_everything() -> int:
    """Run every check, even after one has failed; the first failure is the exit code."""
    failures = {}
    for number, check in enumerate(CHECKS, 1):
        print(f"\n[{number}/{len(CHECKS)}] {check}", flush=True)
        code = call(*check.split())
        if code:
            failures[check] = code
    if failures:
        print(f"Failed: {'; '.join(failures)}", file=sys.stderr)
    return next(iter(failures.values()), 0)


if __name__ == "__main__":
    sys.exit(call("pytest", "--no-cov", *sys.argv[1:]) if sys.argv[1:] else check_everything())
