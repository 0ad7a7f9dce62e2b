"""Homework 3: what it asks for besides the chapters' exercises."""

from __future__ import annotations

__all__: list[str] = []
