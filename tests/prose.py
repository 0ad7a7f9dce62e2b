"""Text as a reader counts it."""

import re


def words(source: str) -> int:
    """How many words a piece of Markdown has: a formula, a piece of code or a link is one, a block of code none."""
    text = re.sub(r"```.*?```|<(style|script).*?</\1>|(?m:^:::.*$)", " ", source, flags=re.DOTALL)
    text = re.sub(r"\$\$.*?\$\$", " formula ", text, flags=re.DOTALL)
    text = re.sub(r"\$[^$]+\$|`[^`]+`", "formula", text)
    text = re.sub(r"(?m)^\s*\d+\. ", "", text)  # the number of an item
    text = re.sub(r"!?\[([^\]]*)\]\([^)]*\)", r"\1", text)
    return len(re.findall(r"\S*\w\S*", re.sub(r"<[^>]+>|[*_]", "", text).replace("|", " ")))
