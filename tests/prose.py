"""Text as a reader counts it: words, sentences, and the sections of a notebook."""

import re
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
FURTHER = "Further: "


def plain(source: str) -> str:
    """Markdown as running text: a formula, a piece of code or a link is one word, and blocks end with an empty line."""
    text = re.sub(
        r"```.*?```|~~~.*?~~~|^:::.*$|<(style|script).*?</\1>", "\n\n", source, flags=re.DOTALL | re.MULTILINE
    )
    text = re.sub(r"\$\$.*?\$\$", " formula.\n\n", text, flags=re.DOTALL)
    text = re.sub(r"\$[^$]+\$", "formula", text)
    text = re.sub(r"`[^`]+`", "code", text)
    text = re.sub(r"!?\[([^\]]*)\]\([^)]*\)", r"\1", text)
    text = re.sub(r"</?(?:summary|details|div|p|li|ul|ol|tr|td|th|table|h\d)\b[^>]*>", "\n\n", text)
    text = re.sub(r"<[^>]+>", "", text)
    text = re.sub(r"(?m)^\s*(?:#+|[-*]|\d+\.|>) +", "\n\n", text)
    return re.sub(r"[|*_]", lambda mark: "\n\n" if mark[0] == "|" else "", text)


def words(source: str) -> int:
    return len(re.findall(r"\S*\w\S*", plain(source)))


def sentences(source: str) -> Iterator[str]:
    for block in re.split(r"\n\s*\n", plain(source)):
        for sentence in re.split(r"(?<=[.?!])[\"')]*\s+(?=[^a-z\s])", " ".join(block.split())):
            if sentence:
                yield sentence


def sections(notebook: Any) -> Iterator[tuple[Any, list[str]]]:
    """Each cell with the headings it stands under, the chapter's own first."""
    titles: list[str] = []
    for cell in notebook.cells:
        heading = re.match(r"(#+) (.+)", cell.source) if cell.cell_type == "markdown" else None
        if heading:
            titles = [*titles[: len(heading[1]) - 1], heading[2].strip()]
        yield cell, titles


def is_further(titles: list[str]) -> bool:
    return any(title.startswith(FURTHER) for title in titles)


def messages(table: Any) -> Iterator[str]:
    """Every text of a TOML file."""
    if isinstance(table, str):
        yield table
    for value in table.values() if isinstance(table, dict) else table if isinstance(table, list) else ():
        yield from messages(value)


def texts() -> dict[str, list[str]]:
    """What people read besides the notebooks: the files in Markdown, and the messages, by path."""
    pages = [*ROOT.glob("*.md"), *ROOT.glob("[!.]*/*.md"), *ROOT.glob("book/pages/**/*.md")]
    found = {str(path.relative_to(ROOT)): [path.read_text("utf-8")] for path in pages if path.name != "CHANGELOG.md"}
    for path in ROOT.glob("plahelpers/*/en/*.toml"):
        found[str(path.relative_to(ROOT))] = list(messages(tomllib.loads(path.read_text("utf-8"))))
    return found
