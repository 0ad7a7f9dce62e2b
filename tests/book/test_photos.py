"""The photographs of the README, which `run.py photos` takes."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from PIL import Image

README = Path(__file__).resolve().parents[2] / "README.md"
IMAGES = dict(re.findall(r"!\[([^]]*)\]\(([^)]*)\)", README.read_text(encoding="utf-8")))  # words: file


def test_every_image_of_the_readme_has_words_of_its_own_for_those_who_do_not_see_it() -> None:
    text = README.read_text(encoding="utf-8")
    assert len(IMAGES) == text.count("![")
    assert "<img" not in text
    assert all(len(words.split()) > 10 for words in IMAGES)


@pytest.mark.parametrize("name", ["steps", "stepper", "proof", "book"])
def test_a_photograph_is_in_the_readme_wide_enough_to_be_read_and_quick_to_load(name: str) -> None:
    assert f"book/images/{name}.png" in IMAGES.values()
    path = README.parent / "book" / "images" / f"{name}.png"
    assert path.stat().st_size < 250_000
    with Image.open(path) as picture:
        assert picture.format == "PNG"
        assert 900 <= picture.width <= 2400
        assert 400 <= picture.height <= 2000
        picture.load()


def test_without_chromium_the_photographer_says_how_to_get_it(root: Path, tmp_path: Path) -> None:
    program, nowhere = [sys.executable, "-m", "book.photos"], os.environ | {"PATH": str(tmp_path)}
    done = subprocess.run(program, capture_output=True, text=True, check=False, env=nowhere)
    assert done.returncode == 1
    assert "This needs the browser Chromium, which is not installed" in done.stderr
