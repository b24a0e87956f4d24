"""Packages that are expensive to import and needed by few, imported when something of them is used.

Commands that never come to such use start without them.
"""

from __future__ import annotations

from importlib import import_module
from typing import Any


class Later:
    """A module by its name; `later.name` imports it at the latest now. Threads may share it."""

    def __init__(self, name: str) -> None:
        self._name = name

    def __getattr__(self, name: str) -> Any:
        """What the module has under a name, which is looked up once."""
        found = self.__dict__[name] = getattr(import_module(self._name), name)
        return found
