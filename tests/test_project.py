"""The files around the code agree with each other: pins, conda's environment, citation, changelog, workflows."""

from __future__ import annotations

import os
import re
import tomllib
from pathlib import Path
from typing import Any

import check_jsonschema
import pytest
import yaml
from click.testing import CliRunner
from packaging.requirements import Requirement
from packaging.specifiers import SpecifierSet
from packaging.utils import canonicalize_name

ROOT = Path(__file__).resolve().parents[1]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
WORDS = PROJECT["tool"]["run"]["words"]
PINS = [line for line in (ROOT / "requirements.txt").read_text(encoding="utf-8").splitlines() if line]


def read_yaml(name: str) -> Any:
    return yaml.safe_load((ROOT / name).read_text(encoding="utf-8"))


def test_a_pin_is_a_name_and_a_version_and_names_no_place() -> None:
    assert [line for line in PINS if not re.fullmatch(r"[a-z0-9-]+==[0-9a-z.]+( ; [^/@]+)?", line)] == []


def test_every_package_the_project_asks_for_is_pinned_to_a_version_it_accepts() -> None:
    pins = {canonicalize_name(pin.name): pin.specifier for pin in map(Requirement, PINS)}
    lines = [*PROJECT["project"]["dependencies"], *PROJECT["build-system"]["requires"]]
    lines += [line for extra in PROJECT["project"]["optional-dependencies"].values() for line in extra]
    for requirement in map(Requirement, lines):
        version = str(pins[canonicalize_name(requirement.name)]).removeprefix("==")
        assert requirement.specifier.contains(version), f"{requirement} is pinned to {version}"
    assert "uv" in pins, "with which run.py installs"


def test_conda_installs_the_pins_and_the_extras_that_run_py_installs() -> None:
    python, pip, with_pip = read_yaml("environment.yml")["dependencies"]
    extras = ",".join(WORDS["lab"]["extras"])
    assert pip == "pip"
    assert with_pip == {"pip": ["-c requirements.txt", f"-e .[{extras}]"]}
    assert SpecifierSet(PROJECT["project"]["requires-python"]).contains(python.removeprefix("python="))


def test_the_citation_and_the_changelog_name_the_version_that_is_packaged() -> None:
    version = PROJECT["project"]["version"]
    citation = read_yaml("CITATION.cff")
    assert str(citation["version"]) == version
    assert citation["cff-version"] == "1.2.0"
    assert citation["license"] == PROJECT["project"]["license"]
    headings = re.findall(r"^## \[(.+?)\]", (ROOT / "CHANGELOG.md").read_text(encoding="utf-8"), re.M)
    assert headings[:2] == ["Unreleased", version]


@pytest.mark.skipif(os.name != "posix", reason="Windows has no such bit")
def test_the_machine_checks_what_a_person_checks() -> None:
    script = ROOT / ".ci" / "run"
    assert os.access(script, os.X_OK)
    assert script.read_text(encoding="utf-8").splitlines()[-1] == "python3 run.py test"


def test_the_hooks_before_a_commit_use_the_pinned_ruff() -> None:
    hooks = read_yaml(".pre-commit-config.yaml")["repos"][0]["hooks"]
    versions = {package for hook in hooks for package in hook["additional_dependencies"]}
    assert {version for version in versions if version.startswith("ruff")} <= set(PINS)


def test_the_workflow_tests_every_promised_python_on_three_systems() -> None:
    matrix = read_yaml(".github/workflows/tests.yml")["jobs"]["test"]["strategy"]["matrix"]
    promises = re.findall(r"Python :: (3\.\d+)", " ".join(PROJECT["project"]["classifiers"]))
    assert matrix["python"] == promises
    assert SpecifierSet(PROJECT["project"]["requires-python"]).contains(promises[0])
    assert {name.split("-")[0] for name in matrix["os"]} == {"ubuntu", "macos", "windows"}


@pytest.mark.parametrize(
    ("schema", "pattern"),
    [
        ("github-workflows", "workflows/*.yml"),
        ("github-issue-forms", "ISSUE_TEMPLATE/[!c]*.yml"),
        ("github-issue-forms", "ISSUE_TEMPLATE/check.yml"),
        ("github-issue-config", "ISSUE_TEMPLATE/config.yml"),
        ("dependabot", "dependabot.yml"),
    ],
)
def test_what_github_reads_has_the_form_that_github_expects(schema: str, pattern: str) -> None:
    files = sorted((ROOT / ".github").glob(pattern))
    assert files
    options = ["--builtin-schema", f"vendor.{schema}", *map(str, files)]
    result = CliRunner().invoke(check_jsonschema.main, options)
    assert result.exit_code == 0, result.output
