"""The files around the code agree with each other: pins, conda's environment, citation, changelog, workflows."""

import re
import tomllib
from pathlib import Path
from typing import Any

import yaml
from packaging.requirements import Requirement
from packaging.specifiers import SpecifierSet
from packaging.utils import canonicalize_name

ROOT = Path(__file__).resolve().parents[1]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
PINS = (ROOT / "requirements.txt").read_text(encoding="utf-8").splitlines()


def read_yaml(name: str) -> Any:
    return yaml.safe_load((ROOT / name).read_text(encoding="utf-8"))


def test_a_pin_is_a_name_and_a_version_and_names_no_place() -> None:
    assert [line for line in PINS if not re.fullmatch(r"[a-z0-9-]+==[0-9a-z.]+( ; [^/@]+)?", line)] == []


def test_every_package_the_project_asks_for_is_pinned_to_a_version_it_accepts() -> None:
    pins = {canonicalize_name(pin.name): pin.specifier for pin in map(Requirement, PINS)}
    extras = [line for extra in PROJECT["optional-dependencies"].values() for line in extra]
    for requirement in map(Requirement, [*PROJECT["dependencies"], *extras]):
        version = str(pins[canonicalize_name(requirement.name)]).removeprefix("==")
        assert requirement.specifier.contains(version), f"{requirement} is pinned to {version}"


def test_conda_installs_jupyterlab_and_what_checks_the_package_in_the_pinned_versions() -> None:
    python, pip, with_pip = read_yaml("environment.yml")["dependencies"]
    assert (pip, with_pip) == ("pip", {"pip": ["-c requirements.txt", "-e .[fast,lab,test]"]})
    assert {"fast", "lab", "test"} <= set(PROJECT["optional-dependencies"])
    assert SpecifierSet(PROJECT["requires-python"]).contains(python.removeprefix("python="))


def test_the_citation_and_the_changelog_name_the_version_that_is_packaged() -> None:
    citation = read_yaml("CITATION.cff")
    assert (str(citation["version"]), citation["license"]) == (PROJECT["version"], PROJECT["license"])
    headings = re.findall(r"^## \[(.+?)\]", (ROOT / "CHANGELOG.md").read_text(encoding="utf-8"), re.M)
    assert headings[:2] == ["Unreleased", PROJECT["version"]]


def test_the_hooks_before_a_commit_use_the_pinned_ruff() -> None:
    hooks = read_yaml(".pre-commit-config.yaml")["repos"][0]["hooks"]
    versions = {package for hook in hooks for package in hook["additional_dependencies"] if package.startswith("ruff")}
    assert versions <= set(PINS)


def test_the_workflow_tests_every_promised_python_on_three_systems() -> None:
    job = read_yaml(".github/workflows/tests.yml")["jobs"]["test"]
    assert job["steps"][-1] == {"run": "python run.py test"}
    matrix = job["strategy"]["matrix"]
    assert matrix["python"] == re.findall(r"Python :: (3\.\d+)", " ".join(PROJECT["classifiers"]))
    assert {name.split("-")[0] for name in matrix["os"]} == {"ubuntu", "macos", "windows"}
