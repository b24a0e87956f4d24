"""Requests that are refused, each in one clear line of JSON."""

from __future__ import annotations

from typing import TypeVar

import msgspec
from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response

from grl.errors import GrlError, one_line

T = TypeVar("T")

MOST_JSON = 1 << 20
"""Bytes of a request but for an upload."""
PATIENCE = 20.0
"""Seconds that a request of ordinary size may take to arrive."""


class Refused(Exception):
    """A request that can't be served as it is: an HTTP status from 400 on, and why."""

    def __init__(self, status: int, message: str) -> None:
        super().__init__(message)
        self.status, self.message = status, message


def said(data: object, status: int = 200) -> Response:
    """An answer in JSON."""
    return Response(msgspec.json.encode(data), status, media_type="application/json")


def refusal(status: int, message: str) -> Response:
    """An answer to a request that is refused: one line."""
    return said({"error": one_line(message) or "refused"}, status)


def refused(error: Exception) -> Response:
    """What is said of an error that a request brought about."""
    if isinstance(error, Refused):
        return refusal(error.status, error.message)
    if isinstance(error, GrlError):
        return refusal(422, str(error))
    if isinstance(error, MemoryError | RecursionError):
        return refusal(413, "this takes more memory than there is")
    if isinstance(error, ClientDisconnect):
        return refusal(400, "the request broke off")
    if isinstance(error, OSError):
        return refusal(507, f"the file system refuses: {error.strerror or error}")
    return refusal(500, f"an error of the program: {type(error).__name__}")


async def content(request: Request, most: int = MOST_JSON, seconds: float = PATIENCE) -> bytes:
    """What a request carries, up to a bound of bytes and of seconds."""
    import anyio

    length = request.headers.get("content-length", "")
    if length and not (length.isascii() and length.isdigit() and len(length) < 19):
        raise Refused(400, "the length of the request is no number")
    if length and int(length) > most:
        raise Refused(413, f"the request is too large; expected at most {most:,} bytes")
    found = bytearray()
    try:
        with anyio.fail_after(seconds):
            async for chunk in request.stream():
                found += chunk
                if len(found) > most:
                    raise Refused(413, f"the request is too large; expected at most {most:,} bytes")
    except TimeoutError:
        raise Refused(408, f"the request took more than {seconds:g} seconds to arrive") from None
    return bytes(found)


async def asked(request: Request, kind: type[T]) -> T:
    """The JSON of a request, held to a type."""
    kept = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    if kept != "application/json":
        raise Refused(415, "expected JSON, with content-type application/json")
    raw = await content(request)
    try:
        return msgspec.json.decode(raw, type=kind)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as error:
        raise Refused(400, f"not what is expected here: {error}") from None
