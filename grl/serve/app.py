"""The server put together: the page, its JSON interface, and who is let in."""

from __future__ import annotations

import logging
import os
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from functools import partial
from importlib.resources import files
from pathlib import Path
from typing import Any

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response
from starlette.routing import Route

from grl.errors import GrlError
from grl.serve.api import Api
from grl.serve.guard import Door, Guard
from grl.serve.jobs import Jobs
from grl.serve.refusals import Refused, refusal, refused
from grl.serve.routes import Address
from grl.serve.seating import Players
from grl.serve.shelf import Shelf
from grl.serve.tables import Tables
from grl.serve.thinkers import Thinkers
from grl.serve.thinking import Thinking
from grl.serve.uploads import KINDS as KINDS_OF_FILES
from grl.serve.uploads import Uploads, ending
from grl.serve.workshop import Workshop
from grl.traces import Traces

LOG = logging.getLogger("grl.serve")
KINDS = {
    ".html": "text/html; charset=utf-8",
    ".css": "text/css; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".svg": "image/svg+xml",
}


@dataclass(frozen=True)
class House:
    """Where everything of a server is: models, games, and the folder in which it keeps them."""

    shelf: Shelf
    tables: Tables
    jobs: Jobs
    addresses: tuple[Address, ...] = field(repr=False)


def house(
    sources: Iterable[Path], folder: Path, records: Iterable[Path] = (), *, ahead: bool = False
) -> House:
    """Everything that a server needs, with its own things in a folder; `records` are trace files,
    or folders of them, for examples and questions. `ahead` compiles models before somebody has to
    wait for it."""
    for name in ("", "games", "models", "talks", "uploads"):
        (folder / name).mkdir(mode=0o700, parents=True, exist_ok=True)
    shelf = Shelf(sources, folder / "models")
    uploads, jobs = Uploads(folder / "uploads"), Jobs()
    tables = Tables(folder / "games", shelf, Players(uploads.strategy))
    thinking = Thinking(tables, Thinkers(ahead=ahead))
    given = list(_given(records))
    api = Api(thinking, lambda: [*given, *uploads.traces()])
    workshop = Workshop(thinking, uploads, jobs, folder / "talks")
    for traces in given:
        uploads.lend(Path(traces.path), traces.header.game)
    return House(shelf, tables, jobs, (*api.addresses(), *workshop.addresses()))


def _given(records: Iterable[Path]) -> Iterator[Traces]:
    """The trace files among files and folders; raises `TraceError` for a named one that is none."""
    for source in records:
        found = (
            sorted(p for p in source.rglob("*") if ending(p.name)) if source.is_dir() else [source]
        )
        for path in found:
            if KINDS_OF_FILES.get(ending(path.name)) == "traces" or path is source:
                yield Traces.open(path)


def application(parts: House, door: Door) -> Starlette:
    """The application that a server runs."""
    routes = [
        Route(f"/api{each.path}", _answering(each.handler), methods=[each.method])
        for each in _by_path(parts.addresses)
    ]
    pages = _pages()
    routes.append(Route("/", partial(_page, pages, "index.html"), methods=["GET"]))
    routes.append(Route("/static/{name}", partial(_page, pages, None), methods=["GET"]))
    app = Starlette(
        routes=[*routes],
        middleware=[Middleware(Guard, door=door)],
        exception_handlers={HTTPException: _http, Exception: _failed},
    )
    app.router.redirect_slashes = False
    return app


def _by_path(addresses: Iterable[Address]) -> list[Address]:
    return sorted(addresses, key=lambda each: each.path.count("{"))


def _answering(handler: Callable[[Request], Any]) -> Callable[[Request], Any]:
    """A handler whose errors are answers of one line."""

    async def answer(request: Request) -> Response:
        try:
            response: Response = await handler(request)
        except (Refused, GrlError, MemoryError, RecursionError, OSError, ClientDisconnect) as error:
            return refused(error)
        except Exception as error:
            LOG.error("%s %s: %r", request.method, request.url.path, error)
            return refused(error)
        return response

    answer.__name__ = handler.__name__
    return answer


def _pages() -> dict[str, tuple[bytes, str]]:
    """The files of the page, read once; from an editable checkout the same way as from a wheel."""
    found = {}
    for entry in files("grl.serve").joinpath("static").iterdir():
        ending = os.path.splitext(entry.name)[1]
        if ending in KINDS:
            found[entry.name] = (entry.read_bytes(), KINDS[ending])
    return found


async def _page(
    pages: dict[str, tuple[bytes, str]], name: str | None, request: Request
) -> Response:
    found = pages.get(request.path_params["name"] if name is None else name)
    if found is None:
        return refusal(404, "there is no such page")
    return Response(found[0], media_type=found[1], headers={"cache-control": "no-cache"})


async def _http(_: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)
    what = {404: "there is no such address", 405: "this address does not take that method"}
    answer = refusal(error.status_code, what.get(error.status_code, error.detail))
    for key, value in (error.headers or {}).items():
        answer.headers[key] = value
    return answer


async def _failed(_: Request, error: Exception) -> Response:
    return refused(error)
