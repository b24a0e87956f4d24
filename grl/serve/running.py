"""Listening: the socket, the address that is printed, and the folder that a server keeps."""

from __future__ import annotations

import ipaddress
import os
import socket
import stat
import threading
import webbrowser
from collections.abc import Callable, Sequence
from importlib.util import find_spec
from pathlib import Path

from grl.errors import GrlError, MissingExtra, Place

NEEDED = ("starlette", "uvicorn")
SHORTEST_TOKEN = 12


def run(
    sources: Sequence[Path],
    records: Sequence[Path],
    folder: Path | None,
    host: str,
    port: int,
    token: str,
    shown: bool,
    say: Callable[[str], None],
) -> None:
    """Serve until interrupted; `say` hears of the address. Raises `GrlError` for what can't be."""
    missing = [name for name in NEEDED if find_spec(name) is None]
    if missing:
        raise MissingExtra(
            "the page needs packages that are not installed",
            found=f"no {', no '.join(missing)}",
            hint="pip install 'grl[web]'",
        )
    check_door(host, token)
    import uvicorn

    from grl.serve.app import application, house
    from grl.serve.guard import Door

    own = private_folder(folder)
    listening = _listening(host, port)
    with listening:
        parts = house(sources, own, records, ahead=True)
        app = application(parts, Door(host, token))
        address = _address(host, listening.getsockname()[1], token)
        say(f"{address}  (Ctrl-C ends it; games are kept in {own})")
        if shown:
            threading.Timer(0.5, webbrowser.open, [address]).start()
        config = uvicorn.Config(
            app,
            http="h11",
            ws="none",
            log_level="error",
            access_log=False,
            server_header=False,
            lifespan="off",
            timeout_keep_alive=30,
            timeout_graceful_shutdown=2,
            limit_concurrency=500,
        )
        uvicorn.Server(config).run(sockets=[listening])


def check_door(host: str, token: str) -> None:
    """Raises `GrlError` where others could come in without a token."""
    if token and (len(token) < SHORTEST_TOKEN or not token.isascii() or not _plain(token)):
        raise GrlError(
            "this is no good token",
            expected=f"at least {SHORTEST_TOKEN} letters, digits, - and _, which nobody guesses",
        )
    if not token and not _loopback(host):
        raise GrlError(
            "others could reach this address",
            found=f"--host {host}",
            expected="--token as well, or no --host",
        )


def _plain(token: str) -> bool:
    return all(letter.isalnum() or letter in "-_" for letter in token)


def _loopback(host: str) -> bool:
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


def private_folder(folder: Path | None) -> Path:
    """The folder in which a server keeps its things, made where there is none.

    Raises `GrlError` for one that isn't the user's own.
    """
    if folder is None:
        base = os.environ.get("XDG_STATE_HOME") or "~/.local/state"
        folder = Path(base).expanduser() / "grl" / "serve"
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    state = folder.stat()
    if hasattr(os, "getuid") and (
        state.st_uid != os.getuid() or state.st_mode & (stat.S_IWGRP | stat.S_IWOTH)
    ):
        raise GrlError(
            "others can write to this folder",
            place=Place(file=str(folder)),
            expected="a folder of your own",
            hint="choose another --folder",
        )
    return folder.resolve()


def _listening(host: str, port: int) -> socket.socket:
    """A socket that listens; raises `GrlError` where somebody else does."""
    try:
        family, kind, protocol, _, where = socket.getaddrinfo(
            host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE
        )[0]
        found = socket.socket(family, kind, protocol)
    except OSError as error:
        raise GrlError(f"can't listen at {host}: {error.strerror or error}") from None
    try:
        found.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        found.bind(where)
        found.listen(256)
    except OSError as error:
        found.close()
        raise GrlError(
            f"can't listen at {host}, port {port}: {error.strerror or error}",
            hint="choose another --port",
        ) from None
    return found


def _address(host: str, port: int, token: str) -> str:
    name = f"[{host}]" if ":" in host else "127.0.0.1" if host in ("0.0.0.0", "") else host
    return f"http://{name}:{port}/" + (f"?token={token}" if token else "")
