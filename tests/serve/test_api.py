"""The JSON interface: positions, turns, reasons; who is let in; what is refused."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from itertools import islice
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from learned import learned
from serving import Sent, mutated, refused, sound
from starlette.testclient import TestClient

from grl import games
from grl.board import Position
from grl.model import Rule
from grl.modelfile import write_model
from grl.serve import book, openapi
from grl.serve.app import House, application, house
from grl.serve.guard import Door

HOME = "http://127.0.0.1:8000"
SPECS = ("tic-tac-toe", "checkers", "breakthrough:width=6,height=6")


@pytest.fixture(scope="module")
def models(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("models")
    for spec in SPECS:
        learned(spec).save(folder / f"{spec.partition(':')[0]}.grl.json")
    return folder


@pytest.fixture(scope="module")
def parts(models: Path, tmp_path_factory: pytest.TempPathFactory) -> House:
    return house([models], tmp_path_factory.mktemp("own"))


@pytest.fixture(scope="module")
def client(parts: House) -> TestClient:
    return TestClient(application(parts, Door()), base_url=HOME)


def model_of(client: TestClient, game: str) -> str:
    listed = client.get("/api/models").json()["models"]
    return next(each["id"] for each in listed if each["game"] == game)


def begun(client: TestClient, game: str, **more: Any) -> dict[str, Any]:
    answer = client.post("/api/games", json={"model": model_of(client, game), **more})
    assert answer.status_code == 200, answer.text
    found: dict[str, Any] = answer.json()
    return found


def turns_of(nodes: list[Any], before: str = "") -> Iterator[str]:
    """The turns that a tree spells."""
    for text, _, ends, below in nodes:
        joint = " " if text.startswith("(") else "; " if before else ""
        whole = f"{before}{joint}{text}"
        if ends:
            yield whole
        yield from turns_of(below, whole)


@pytest.mark.parametrize("spec", SPECS)
def test_a_game_played_over_the_interface_is_the_reference_s(client: TestClient, spec: str) -> None:
    """Turns, positions and goals are those of the hand-written game, ply for ply."""
    reference = games.load(spec)
    view = begun(client, spec.partition(":")[0])
    here: Position = reference.initial
    chance = random.Random(spec)
    at = f"/api/games/{view['id']}"
    while not view["over"]:
        legal = reference.legal(here)
        assert sorted(turns_of(view["tree"])) == sorted(legal)
        assert (view["cells"], view["to_move"], view["turns"]) == (
            here.cells,
            here.to_move,
            len(legal),
        )
        turn = chance.choice(legal)
        here = reference.play(here, turn)
        view = client.post(f"{at}/play", json={"turn": turn, "ply": view["ply"]}).json()
    assert reference.is_terminal(here)
    assert view["goals"] == reference.goals(here)
    assert view["said"].startswith("The game is over")
    assert view["ply"] == view["plies"] == len(view["steps"])


def test_undo_and_redo_and_another_way(client: TestClient) -> None:
    view = begun(client, "tic-tac-toe", turns=["a1", "b1", "c1"])
    at = f"/api/games/{view['id']}"
    back = client.post(f"{at}/goto", json={"ply": 1}).json()
    assert (back["ply"], back["plies"], back["cells"]) == (1, 3, "x........")
    again = client.post(f"{at}/goto", json={"ply": 3}).json()
    assert again == view
    client.post(f"{at}/goto", json={"ply": 1})
    other = client.post(f"{at}/play", json={"turn": "b2"}).json()
    assert (other["plies"], other["cells"]) == (2, "x...o....")
    stale = client.post(f"{at}/play", json={"turn": "b3", "ply": 1})
    assert (stale.status_code, "ply 2" in stale.json()["error"]) == (409, True)


def test_an_illegal_turn_is_refused_and_explained(client: TestClient) -> None:
    """Who can take must: the rule is named, and the turn that has to be played instead."""
    view = begun(client, "checkers", turns=["c3-d4", "b6-c5"])
    at = f"/api/games/{view['id']}"
    reference = games.load("checkers")
    here = reference.play(reference.play(reference.initial, "c3 (1 1 e)"), "b6 (1 -1 e)")
    taking = reference.legal(here)
    refusal = client.post(f"{at}/play", json={"turn": "a3 (1 1 e)"})
    assert (refusal.status_code, "not legal" in refusal.json()["error"]) == (422, True)
    why = client.post(f"{at}/explain", json={"squares": ["a3", "b4"]}).json()
    assert (why["turn"], why["legal"], why["verdict"]) == ("a3 (1 1 e)", False, "forbidden")
    assert why["rule"]["sentence"].startswith("A turn is illegal")
    assert why["rivals"]
    assert {rival["turn"] for rival in why["rivals"]} <= set(taking)
    assert client.get(at).json()["ply"] == 2


def test_squares_that_no_piece_goes_by_are_explained_too(client: TestClient) -> None:
    view = begun(client, "checkers")
    why = client.post(f"/api/games/{view['id']}/explain", json={"squares": ["a3", "a5"]}).json()
    assert (why["turn"], why["verdict"]) == ("a3 (0 1 e) (0 1 e)", "language")
    leap = client.post(f"/api/games/{view['id']}/explain", json={"squares": ["a3", "b5"]}).json()
    assert (leap["turn"], leap["legal"]) == ("a3 (1 2 e)", False)
    legal = client.post(f"/api/games/{view['id']}/explain", json={"turn": "a3-b4"}).json()
    assert legal["legal"]


def test_a_beginning_is_read_by_its_automaton(client: TestClient) -> None:
    view = begun(client, "checkers", turns=["c3-d4", "b6-c5"])
    at = f"/api/games/{view['id']}/walk"
    start = client.post(at, json={"begun": "d4"}).json()
    assert [each["text"] for each in start["next"]] == ["(-1 1 p)"]
    assert start["segments"][-1]["steps"] == []
    jump = client.post(at, json={"begun": "d4 (-1 1 p)"}).json()
    assert jump["language"] == jump["board"] == ""
    assert jump["next"] == [{"text": "(0 0 d)", "square": "c5", "ends": False}]
    pictures = client.get(f"/api/models/{view['model']}/pictures").json()
    keys = [each["key"] for each in pictures["automata"]]
    number = keys.index(jump["segments"][0]["automaton"])
    read = client.get(f"/api/models/{view['model']}/pictures/{number}").json()
    state = jump["segments"][0]["steps"][-1]["state"]
    assert {(a["source"], a["target"]) for a in read["arrows"]} >= {(0, state)}


def test_players_answer_within_their_budget_and_play(client: TestClient) -> None:
    view = begun(client, "tic-tac-toe", turns=["a1", "a2", "b1", "b2"])
    at = f"/api/games/{view['id']}"
    found = client.post(f"{at}/answer", json={"player": "mtdf:depth=2"}).json()
    assert (found["turn"], found["wins_in"], found["spoken"]) == ("c1 (0 0 a x)", 1, "wins in 1")
    judged = client.post(f"{at}/analyse", json={"player": "mtdf:depth=3", "best": 2}).json()
    assert judged["turns"][0]["turn"] == "c1 (0 0 a x)"
    over = client.post(f"{at}/answer", json={"player": "mtdf:depth=2", "play": True}).json()["game"]
    assert (over["over"], over["goals"]) == (True, {"x": 100, "o": 0})
    assert client.post(f"{at}/answer", json={"player": "random"}).status_code == 409


def test_two_games_of_a_model_are_thought_about_at_once(client: TestClient) -> None:
    """Who asks of one game is answered while the other one's player still thinks, and a player
    whose game has gone on stops."""
    one, other = begun(client, "checkers"), begun(client, "checkers")
    slow, quick = f"/api/games/{one['id']}", f"/api/games/{other['id']}"
    with ThreadPoolExecutor(1) as waiting:
        thinks = waiting.submit(
            lambda: client.post(f"{slow}/answer", json={"player": "uct:seconds=50"})
        )
        found = client.post(f"{quick}/answer", json={"player": "mtdf:depth=2"})
        assert (found.status_code, thinks.done()) == (200, False)
        client.post(f"{slow}/play", json={"turn": first(one)})
        assert thinks.result(30).status_code == 200
    with ThreadPoolExecutor(2) as both:
        found = both.map(
            lambda at: client.post(f"{at}/answer", json={"player": "uct:seconds=0.3"}).json(),
            (slow, quick),
        )
        assert all(answer["seconds"] >= 0.3 for answer in found)


def first(view: dict[str, Any]) -> str:
    """The first legal turn."""
    return next(turns_of(view["tree"]))


@pytest.mark.parametrize("spec", ["strategy:/etc/passwd", "person", "", "nobody:seconds=1"])
def test_players_from_files_are_not_for_the_page(client: TestClient, spec: str) -> None:
    """What else `--seat` takes names a file of the server's, which may be a program."""
    view = begun(client, "tic-tac-toe")
    at = f"/api/games/{view['id']}"
    for path, data in (
        (f"{at}/answer", {"player": spec or "person"}),
        (f"{at}/analyse", {"player": spec or "person"}),
        ("/api/batch", {"model": view["model"], "players": [spec, "random"]}),
        (f"{at}/seats", {"seats": {"x": f"{spec}?"}}),
    ):
        found = client.post(path, json=data)
        assert (found.status_code, "there is no player" in found.json()["error"]) == (422, True)


def test_a_position_of_one_s_own(client: TestClient) -> None:
    rows = [
        "........",
        "........",
        "........",
        "........",
        "........",
        "..M.....",
        ".m......",
        "........",
    ]
    view = begun(client, "checkers", position={"rows": rows, "to_move": "white"})
    assert list(turns_of(view["tree"])) == ["b2 (1 1 p) (0 0 d) (1 1 e)"]
    won = client.post(f"/api/games/{view['id']}/play", json={"turn": "b2xd4"}).json()
    assert (won["over"], won["goals"]) == (True, {"white": 100, "black": 0})


def test_the_rulebook_has_an_example_for_each_rule_that_decides(client: TestClient) -> None:
    model = model_of(client, "checkers")
    book = client.get(f"/api/models/{model}/book").json()
    found = client.get(f"/api/models/{model}/examples").json()
    assert len(found["restrictions"]) == len(book["restrictions"]) > 0
    for number, shown in found["restrictions"].items():
        board = learned("checkers").initial.board
        here = learned("checkers").position(board.rows(shown["before"]), shown["to_move"])
        assert shown["turn"] not in map(str, learned("checkers").legal(here)), number


def test_a_sentence_is_about_squares_of_this_board(client: TestClient) -> None:
    """A restriction's are those of all turns that it forbids, an ending's the pieces that make it
    true; the reference says which turns these are, and which line is complete."""
    view = begun(client, "checkers", turns=["c3-d4", "b6-c5"])
    outlook = client.get(f"/api/games/{view['id']}/outlook").json()
    (group,) = [each for each in outlook["forbidden"] if each["rivals"]]
    reference = games.load("checkers")
    quiet = {"a3", "b2", "c1", "d2", "e1", "e3", "f2", "g1", "g3", "h2"}
    here = reference.play(reference.play(reference.initial, "c3 (1 1 e)"), "b6 (1 -1 e)")
    moved = {way[0] for way in group["ways"]}
    assert len(group["ways"]) == group["turns"]
    assert moved <= quiet | {"d4"}
    assert {"a3", "e3", "g3"} <= moved
    assert {way[0] for way in group["rivals"]} == {turn[:2] for turn in reference.legal(here)}
    won = begun(client, "tic-tac-toe", turns=["a1", "a2", "b1", "b2", "c1"])
    ending = client.get(f"/api/games/{won['id']}/outlook").json()["ending"]
    assert ending["all"] == ["a1", "b1", "c1"]


def test_who_moves_next_has_an_example_too(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A game in which the same player always moves again: the rule says so of a turn."""
    monkeypatch.setattr(book, "SECONDS", 0.3)
    model = learned("tic-tac-toe").model
    assert model.rules is not None
    again = replace(model.rules, control=(Rule((), (0,), 7),))
    write_model(replace(model, rules=again), tmp_path / "again.grl.json")
    client = TestClient(application(house([tmp_path], tmp_path / "own"), Door()), base_url=HOME)
    (line,) = client.get("/api/models").json()["models"]
    shown = client.get(f"/api/models/{line['id']}/examples").json()["control"]["1"]
    assert (shown["to_move"], shown["then"]) == ("x", "x")
    assert client.get(f"/api/models/{line['id']}/book").json()["control"][0]["support"] == 7


def test_games_are_there_when_the_server_is_started_again(models: Path, tmp_path: Path) -> None:
    first = TestClient(application(house([models], tmp_path), Door()), base_url=HOME)
    view = begun(first, "breakthrough", turns=["a2-a3"], seats={"black": "random"})
    other = begun(first, "tic-tac-toe")
    first.post(f"/api/games/{view['id']}/answer", json={"play": True})
    (tmp_path / "games" / "0123456789abcdef.json").write_text('{"id": "cut off')
    before = first.get(f"/api/games/{view['id']}").json()
    second = TestClient(application(house([models], tmp_path), Door()), base_url=HOME)
    assert second.get(f"/api/games/{view['id']}").json() == before
    assert {each["id"] for each in second.get("/api/games").json()} == {view["id"], other["id"]}
    assert second.delete(f"/api/games/{view['id']}").json() == {"dropped": True}
    assert second.get(f"/api/games/{view['id']}").status_code == 404


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({"host": "evil.example"}, 421),
        ({"host": "127.0.0.1:8000", "origin": "https://evil.example"}, 403),
        ({"host": "localhost:8000", "origin": "http://127.0.0.1:8000"}, 403),
        ({"origin": "null"}, 403),
        ({"sec-fetch-site": "cross-site"}, 403),
        ({"origin": HOME}, 200),
        ({"host": "localhost:9"}, 200),
    ],
)
def test_other_pages_and_other_names_are_refused(
    client: TestClient, headers: dict[str, str], status: int
) -> None:
    assert client.get("/api/models", headers=headers).status_code == status


def test_a_token_lets_in_and_nothing_else_does(parts: House) -> None:
    token = "a-token-that-is-long"
    outside = TestClient(application(parts, Door("0.0.0.0", token)), base_url="http://my.host:80")
    assert outside.get("/").status_code == 401
    assert outside.get("/", params={"token": "wrong"}).status_code == 401
    assert (
        outside.get("/api/models", headers={"authorization": f"Bearer {token}"}).status_code == 200
    )
    assert outside.get("/api/models", params={"token": token}).status_code == 401
    page = outside.get("/", params={"token": token})
    assert page.status_code == 200
    assert outside.get("/api/models").status_code == 200


def test_the_page_comes_with_a_strict_policy(client: TestClient) -> None:
    page = client.get("/")
    policy = page.headers["content-security-policy"]
    assert "default-src 'none'" in policy
    assert "script-src 'self'" in policy
    assert "unsafe" not in policy
    assert "style=" not in page.text
    assert "http://" not in page.text
    for name in ("main.js", "style.css", "icon.svg"):
        found = client.get(f"/static/{name}")
        assert found.status_code == 200
        assert found.headers["x-content-type-options"] == "nosniff"
    assert client.get("/static/..%2fapp.py").status_code == 404


def test_requests_are_bounded(client: TestClient) -> None:
    large = b'{"model": "' + b"x" * (1 << 20) + b'"}'
    found = client.post("/api/games", content=large, headers={"content-type": "application/json"})
    assert (found.status_code, "too large" in found.json()["error"]) == (413, True)
    deep = b"[" * 100_000
    found = client.post("/api/games", content=deep, headers={"content-type": "application/json"})
    assert found.status_code == 400


def test_malformed_requests_get_one_line(client: TestClient) -> None:
    view = begun(client, "tic-tac-toe")
    for sent in islice(mutated(sound(view["model"], view["id"]), 7), 400):
        status, said = _sent(client, sent)
        assert refused(status, said) or (status == 200 and not sent.sure), (sent, status, said)
    assert client.get(f"/api/games/{view['id']}").status_code == 200


def _sent(client: TestClient, sent: Sent) -> tuple[int, bytes]:
    answer = client.request(sent.method, sent.path, content=sent.body, headers=sent.headers)
    return answer.status_code, answer.content


def test_the_openapi_file_is_what_the_server_does(client: TestClient, parts: House) -> None:
    kept = client.get("/api/openapi.json").json()
    assert kept == openapi.described(parts.addresses), "write it anew: make openapi"
    routes = {(a.method.lower(), f"/api{a.path}") for a in parts.addresses}
    assert routes == {(m, path) for path, ms in kept["paths"].items() for m in ms}
    view = begun(client, "tic-tac-toe")
    schema = {"$ref": "#/components/schemas/GameView", "components": kept["components"]}
    jsonschema.validate(view, schema)
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate(view | {"ply": "one"}, schema)
    listed = {"components": kept["components"]}
    listed |= kept["paths"]["/api/games"]["get"]["responses"]["200"]["content"]["application/json"][
        "schema"
    ]
    jsonschema.validate(json.loads(client.get("/api/games").content), listed)
