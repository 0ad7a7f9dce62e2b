"""`run.py test` on a machine that has neither Chromium nor bubblewrap."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests import programs

ROOT = Path(__file__).resolve().parents[1]


@pytest.mark.skipif(os.name != "posix", reason="Windows has no apt-get.")
def test_what_is_missing_is_installed_for_root_and_for_nobody_else(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    apt = tmp_path / "apt-get"
    apt.write_text(f'#!/bin/sh\necho "$@" >> {tmp_path}/calls\n[ "$6" != install ]\n')
    apt.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}:/bin")
    monkeypatch.setattr(programs, "missing", lambda: ["chromium", "bubblewrap"])
    monkeypatch.setattr(programs, "AS_ROOT", False)
    programs.install()
    assert not (tmp_path / "calls").exists()
    assert programs.advice().endswith("sudo apt-get install -y chromium bubblewrap")
    monkeypatch.setattr(programs, "AS_ROOT", True)
    programs.install()
    wanted = [line.split("Timeout=30 ")[1] for line in (tmp_path / "calls").read_text().splitlines()]
    assert wanted == ["update", "install -y chromium", "install -y bubblewrap"]
    assert capsys.readouterr().out.count("That failed") == 2


@pytest.fixture(scope="module")
def bare_path(tmp_path_factory: pytest.TempPathFactory) -> str:
    """A PATH on which everything is found but the programs that a machine may lack."""
    folder = tmp_path_factory.mktemp("bin")
    hidden = re.compile("chromium.*|google-chrome.*|bwrap")
    for place in os.environ["PATH"].split(os.pathsep):
        for program in Path(place).iterdir() if Path(place).is_dir() else []:
            if not hidden.fullmatch(program.name) and not (folder / program.name).is_symlink():
                (folder / program.name).symlink_to(program)
    return str(folder)


@pytest.mark.slow
@pytest.mark.skipif(os.name != "posix", reason="Windows has neither of the two.")
def test_on_a_bare_machine_nothing_fails_and_the_last_lines_say_what_is_missing(bare_path: str) -> None:
    """A socket or a file that is left open would fail, too: warnings are errors."""
    # All tests are collected. Of those that work without the two programs, one that grades is run.
    chosen = "(bubblewrap or chromium or may_be_any_code) and not without_bubblewrap"
    options = ["-q", "-n", "0", "--no-cov", "-p", "no:cacheprovider", "--ignore", __file__]
    command = [sys.executable, "-m", "pytest", *options, "-k", chosen]
    variables = {**os.environ, "PATH": bare_path}
    done = subprocess.run(command, cwd=ROOT, env=variables, check=False, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    assert " passed" in done.stdout
    assert re.search(r"Not tried \(\d+\): This needs Chromium", done.stdout)
    assert re.search(r"Not tried \(\d+\): This needs bubblewrap", done.stdout)
    assert "apt-get install -y chromium bubblewrap\n" in done.stdout
