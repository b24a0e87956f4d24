"""Who may ask: requests from this machine, or with a token; from this page and from no other.

A page elsewhere could make a browser send requests here. So the names in ``Host`` and ``Origin``
have to be this server's own: names that lead here only by a trick of name servers are refused.
"""

from __future__ import annotations

import hmac
from collections.abc import Mapping
from dataclasses import dataclass
from http.cookies import CookieError, SimpleCookie
from urllib.parse import parse_qs, urlsplit

from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from grl.serve.refusals import refusal

LOOPBACK = frozenset({"localhost", "127.0.0.1", "::1"})
ANYWHERE = frozenset({"0.0.0.0", "::"})
COOKIE = "grl_token"
LONGEST_QUERY = 2_000
HEADERS: Mapping[str, str] = {
    "content-security-policy": "default-src 'none'; script-src 'self'; style-src 'self'; "
    "img-src 'self'; connect-src 'self'; manifest-src 'none'; base-uri 'none'; "
    "form-action 'none'; frame-ancestors 'none'",
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "permissions-policy": "camera=(), microphone=(), geolocation=()",
    "cache-control": "no-store",
}


@dataclass(frozen=True)
class Door:
    """Where the server listens, and the token that it asks for, if any."""

    host: str = "127.0.0.1"
    token: str = ""

    @property
    def hosts(self) -> frozenset[str]:
        """The names by which it may be called; empty for any."""
        if self.host in ANYWHERE:
            return frozenset()
        return LOOPBACK if self.host in LOOPBACK else LOOPBACK | {self.host.lower()}


class Guard:
    """Lets through what may be asked, and adds to every answer what browsers are to forbid."""

    def __init__(self, app: ASGIApp, door: Door) -> None:
        self.app, self.door = app, door

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan":
            await self.app(scope, receive, send)
            return
        if scope["type"] != "http":
            return

        async def guarded(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                for name, value in HEADERS.items():
                    headers.setdefault(name, value)
            await send(message)

        answer = self._turned_away(scope)
        await (self.app if answer is None else answer)(scope, receive, guarded)

    def _turned_away(self, scope: Scope) -> Response | None:
        """The answer to a request that is not let through; None for any other."""
        headers = Headers(scope=scope)
        host = _host(headers.get("host", ""))
        if not host or (self.door.hosts and host not in self.door.hosts):
            return refusal(421, "this server is not known by that name")
        origin = headers.get("origin")
        if origin is not None and not _same(origin, headers.get("host", "")):
            return refusal(403, "requests from other pages are refused")
        if headers.get("sec-fetch-site", "same-origin") not in ("same-origin", "none"):
            return refusal(403, "requests from other pages are refused")
        if len(scope.get("query_string", b"")) > LONGEST_QUERY:
            return refusal(414, "the address is too long")
        return self._unknown(scope, headers) if self.door.token else None

    def _unknown(self, scope: Scope, headers: Headers) -> Response | None:
        """Who comes with the token in the address gets a cookie with it, and the page anew."""
        expected = self.door.token.encode()
        kind, _, given = headers.get("authorization", "").partition(" ")
        if kind.lower() == "bearer" and _equal(given.strip(), expected):
            return None
        if _equal(_cookie(headers.get("cookie", "")), expected):
            return None
        query = parse_qs(scope.get("query_string", b"").decode("latin-1"))
        if scope["path"] == "/" and _equal(query.get("token", [""])[0], expected):
            answer = Response(status_code=303, headers={"location": "/"})
            answer.set_cookie(COOKIE, self.door.token, httponly=True, samesite="strict", path="/")
            return answer
        return refusal(401, "this server asks for its token: open the address that it printed")


def _equal(given: str, expected: bytes) -> bool:
    return hmac.compare_digest(given.encode("utf-8", "surrogateescape"), expected)


def _cookie(text: str) -> str:
    try:
        found = SimpleCookie(text).get(COOKIE)
    except CookieError:
        return ""
    return "" if found is None else found.value


def _host(text: str) -> str:
    """The name in a ``Host`` header, in lower case; empty where there is none."""
    try:
        return (urlsplit(f"//{text}").hostname or "").lower()
    except ValueError:
        return ""


def _same(origin: str, host: str) -> bool:
    """Whether a page's origin is the server itself."""
    try:
        parts = urlsplit(origin)
    except ValueError:
        return False
    return parts.scheme in ("http", "https") and parts.netloc.lower() == host.lower()
