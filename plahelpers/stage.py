"""The step-through player, under its former address; it lives in `plahelpers.widgets`."""

from __future__ import annotations

from plahelpers.widgets.player import Player, play, words

__all__ = ["Player", "play", "words"]
