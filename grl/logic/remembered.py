"""What a method gives for some arguments, kept with the object that gave it and no longer."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from functools import wraps
from typing import Any, Concatenate, ParamSpec, TypeVar

Self = TypeVar("Self")
Asked = ParamSpec("Asked")
Given = TypeVar("Given")


def remembered(
    method: Callable[Concatenate[Self, Asked], Given],
) -> Callable[Concatenate[Self, Asked], Given]:
    """The method, which answers a question asked before from memory.

    A cache beside the class would keep the objects, and all that they know, for good.
    """
    name = f"remembered {method.__name__}"

    @wraps(method)
    def answered(self: Self, /, *arguments: Asked.args, **named: Asked.kwargs) -> Given:
        known: dict[Hashable, Any] = vars(self).setdefault(name, {})
        key = (*arguments, *named.items())
        if key not in known:
            known[key] = method(self, *arguments, **named)
        found: Given = known[key]
        return found

    return answered
