"""The step-through player, under its former address; it lives in `plahelpers.widgets`."""

from __future__ import annotations

from plahelpers.widgets.player import Player, Stage, play
from plahelpers.widgets.scene import words

__all__ = ["Player", "Stage", "play", "words"]
