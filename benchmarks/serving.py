"""``make bench PART=serve``: many games at once, and malformed requests, against a real server.

Fifty clients play random games for a minute, each with pauses as a person at a page would make
them; then ten thousand requests are sent that are wrong in some way. `mutated` makes these, for the
tests as well.
"""

from __future__ import annotations

import http.client
import json
import os
import random
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

Row = tuple[str, str, str, int]
"""What, the figure, more of it, and how many answers were wrong."""
ROOT = Path(__file__).resolve().parent.parent
GAMES = 50
SECONDS = 60.0
PAUSE = 0.5
"""Seconds between two turns of a client, on average: a page waits no less before it shows one."""
MALFORMED = 10_000


@dataclass(frozen=True)
class Sent:
    """A request."""

    method: str
    path: str
    headers: dict[str, str]
    body: bytes
    sure: bool = True
    """Whether it is certainly wrong: an odd value may do for a field."""


def plain(method: str, path: str, data: object = None) -> Sent:
    """A request as a page would send it."""
    if data is None:
        return Sent(method, path, {}, b"")
    return Sent(method, path, {"content-type": "application/json"}, json.dumps(data).encode())


def sound(model: str, game: str) -> list[Sent]:
    """Requests of every kind that carries something, each of which would be answered."""
    at = f"/api/games/{game}"
    return [
        plain("POST", "/api/games", {"model": model, "seats": {}, "turns": []}),
        plain("POST", f"{at}/play", {"turn": "a1 (0 0 a x)", "ply": 0}),
        plain("POST", f"{at}/goto", {"ply": 0}),
        plain("POST", f"{at}/seats", {"seats": {}}),
        plain("POST", f"{at}/explain", {"squares": ["a1"]}),
        plain("POST", f"{at}/walk", {"begun": "a1"}),
        plain("POST", f"{at}/answer", {"player": "random", "seed": 3}),
        plain("POST", f"{at}/analyse", {"player": "swift:nodes=10", "best": 2}),
        plain("POST", "/api/facts", {"model": model, "text": "cell(1,1,x)."}),
        plain("POST", "/api/learn", {"uploads": ["none"]}),
        plain("POST", "/api/ask", {"model": model, "uploads": ["none"]}),
        plain("POST", "/api/batch", {"model": model, "players": ["random", "uct"], "games": 2}),
        plain("GET", f"/api/models/{model}"),
        plain("GET", at),
    ]


_ODD: tuple[Any, ...] = (
    None, True, -1, 10**30, 1.5, "", "\u0000", "x" * 5000, [], {}, [[[[]]]], {"a": {"b": 1}},
    "../../etc/passwd", "<script>", "pass", "e2", "a1 (", "é (0 0 a x)", "person",
    "mtdf:seconds=-1", "uct:nodes=x", "zz99999999999 (1 1 e)", "a1 (99999 0 e)",
)  # fmt: skip


def mutated(requests: Sequence[Sent], seed: int) -> Iterator[Sent]:
    """Requests without end that are wrong somewhere: in a value, in bytes, in address or header."""
    chance = random.Random(seed)
    while True:
        yield _wrong(chance.choice(requests), chance)


def _wrong(sent: Sent, chance: random.Random) -> Sent:
    how = chance.randrange(7)
    data = json.loads(sent.body) if sent.body else None
    if how < 3 and isinstance(data, dict):
        key = chance.choice([*data, "unknown"])
        value = "\ud800" if chance.random() < 0.02 else chance.choice(_ODD)
        sure = how == 0
        data = data | {key: value} | ({"surplus": chance.choice(_ODD)} if sure else {})
        return replace(sent, body=json.dumps(data).encode(), sure=sure)
    if how == 3 and sent.body:
        body = bytearray(sent.body)
        for _ in range(chance.randint(1, 4)):
            body[chance.randrange(len(body))] = chance.randrange(256)
        return replace(sent, body=bytes(body[:-1]))
    if how == 4:
        name, value = chance.choice(
            [
                ("host", "evil.example"),
                ("origin", "https://evil.example"),
                ("origin", "null"),
                ("sec-fetch-site", "cross-site"),
                ("host", "127.0.0.1.evil.example"),
                ("origin", "http://localhost.evil:8000"),
                ("host", "[::1"),
            ]
        )
        return replace(sent, headers={**sent.headers, name: value})
    if how == 5 and sent.body:
        return replace(sent, headers={"content-type": chance.choice(["text/plain", "", "a/b; c"])})
    path = f"{sent.path}/" + chance.choice(
        ["x", "..%2f..", "%00", "%ff", "a" * 900, "?q=1", "%3Cb%3E"]
    )
    return replace(sent, path=path, method=chance.choice(["GET", "POST", "PUT", "PATCH", "DELETE"]))


def main(_: Sequence[str]) -> int:
    """Measure, and print; 1 where an answer was wrong."""
    wrong = 0
    for what, ours, more, errors in rows():
        print(f"  {what:<30}  {ours:<30}  {more}", flush=True)
        wrong += errors
    return int(wrong > 0)


def rows() -> Iterator[Row]:
    """What was measured, line by line, with the number of wrong answers."""
    with tempfile.TemporaryDirectory() as folder:
        model = Path(folder) / "game.grl.json"
        _learn(model)
        server, port = _started(model, Path(folder) / "own")
        try:
            yield _crowd(port)
            yield _malformed(port)
        finally:
            server.terminate()
            server.wait()


def _learn(path: Path) -> None:
    import grl

    grl.learn(ROOT / "traces" / "checkers" / "all-moves.jsonl.gz").save(path)


def _started(model: Path, own: Path) -> tuple[subprocess.Popen[str], int]:
    began = time.perf_counter()
    command = [
        sys.executable,
        "-m",
        "grl",
        "serve",
        str(model),
        "--port",
        "0",
        "--folder",
        str(own),
    ]
    server = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    assert server.stdout is not None
    line = server.stdout.readline()
    port = int(line.partition("127.0.0.1:")[2].partition("/")[0])
    _ask(http.client.HTTPConnection("127.0.0.1", port, timeout=30), plain("GET", "/api/models"))
    took = time.perf_counter() - began
    print(f"  the server answers after {took:.2f} s{_spent(server.pid)}", flush=True)
    return server, port


def _spent(pid: int) -> str:
    """The processor time of a process, where the system says it."""
    try:
        fields = Path(f"/proc/{pid}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()
    except OSError:
        return ""
    seconds = (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
    return f", {seconds:.2f} s of processor time"


def _ask(line: http.client.HTTPConnection, sent: Sent) -> tuple[int, bytes]:
    line.request(sent.method, sent.path, sent.body or None, sent.headers)
    answer = line.getresponse()
    return answer.status, answer.read()


def _crowd(port: int) -> Row:
    times: list[float] = []
    wrong: Counter[str] = Counter()
    plies = 0
    end = time.monotonic() + SECONDS
    guard = threading.Lock()

    def client(number: int) -> None:
        nonlocal plies
        chance = random.Random(number)
        line = http.client.HTTPConnection("127.0.0.1", port, timeout=30)
        model = json.loads(_ask(line, plain("GET", "/api/models"))[1])["models"][0]["id"]
        game = None
        while time.monotonic() < end:
            began = time.perf_counter()
            if game is None:
                status, said = _ask(line, plain("POST", "/api/games", {"model": model}))
                game = json.loads(said) if status == 200 else None
            else:
                at = f"/api/games/{game['id']}/answer"
                status, said = _ask(line, plain("POST", at, {"player": "random", "play": True}))
                game = json.loads(said)["game"] if status == 200 else None
            took = time.perf_counter() - began
            with guard:
                times.append(took)
                plies += 1
                if status != 200:
                    wrong[f"{status} {said[:60]!r}"] += 1
            if game is not None and game["over"]:
                game = None
            time.sleep(chance.uniform(0, 2 * PAUSE))

    clients = [threading.Thread(target=client, args=(number,)) for number in range(GAMES)]
    for each in clients:
        each.start()
    for each in clients:
        each.join()
    ordered = sorted(times)
    median, late = statistics.median(ordered), ordered[len(ordered) * 99 // 100]
    return (
        f"{GAMES} games at once, {SECONDS:.0f} s",
        f"{plies:,} answers, {sum(wrong.values())} errors {dict(wrong) if wrong else ''}".strip(),
        f"median {1000 * median:.1f} ms, 99 of 100 within {1000 * late:.0f} ms",
        sum(wrong.values()),
    )


def _malformed(port: int) -> Row:
    line = http.client.HTTPConnection("127.0.0.1", port, timeout=30)
    model = json.loads(_ask(line, plain("GET", "/api/models"))[1])["models"][0]["id"]
    game = json.loads(_ask(line, plain("POST", "/api/games", {"model": model}))[1])["id"]
    source = mutated(sound(model, game), 1)
    found: Counter[str] = Counter()
    began = time.perf_counter()
    for _ in range(MALFORMED):
        sent = next(source)
        status, said = _ask(line, sent)
        if not refused(status, said) and (sent.sure or status != 200):
            found[f"{sent.method} {sent.path[:60]}: {status} {said[:60]!r}"] += 1
    took = time.perf_counter() - began
    wrong = sum(found.values())
    more = f"; otherwise: {dict(found.most_common(5))}" if wrong else ""
    ours = f"{MALFORMED - wrong:,} refused with 4xx and a line, or found sound{more}"
    return f"{MALFORMED:,} malformed requests", ours, f"{took:.0f} s", wrong


def refused(status: int, said: bytes) -> bool:
    """Whether an answer is what a malformed request deserves: 4xx, and one line of JSON."""
    try:
        data = json.loads(said)
    except ValueError:
        return False
    line = data.get("error") if isinstance(data, dict) else None
    return 400 <= status < 500 and isinstance(line, str) and bool(line) and "\n" not in line
