"""The addresses of the JSON interface, in one table: who answers, and what goes over the wire."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Any

from starlette.requests import Request
from starlette.responses import Response

Handler = Callable[[Request], Awaitable[Response]]


@dataclass(frozen=True)
class Address:
    """A method and a path under ``/api``, who answers, and what for; `takes` is the type of what
    is sent, `gives` that of the answer, each None where it is none of `grl.serve.messages`."""

    method: str
    path: str
    handler: Handler
    says: str
    takes: type[Any] | None = None
    gives: type[Any] | None = None
    raw: bool = False
    """Whether a file is sent, and no JSON."""
    query: tuple[str, ...] = ()
    streams: bool = False
    """Whether answers of the type come one after the other, as server-sent events."""
