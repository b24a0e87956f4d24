"""Files, learning, dialogues, many games, and logic, over the JSON interface."""

from __future__ import annotations

import gzip
import json
import time
from pathlib import Path
from typing import Any

import clingo
import jsonschema
import pytest
from learned import learned, record
from starlette.testclient import TestClient

from grl import games
from grl.board import Position
from grl.children import Report
from grl.export.spelling import turn_of
from grl.las.syntax import parse
from grl.serve import lessons
from grl.serve.app import application, house
from grl.serve.guard import Door
from grl.traces import Traces

HOME = "http://127.0.0.1:8000"
PATIENCE = 120.0


@pytest.fixture(scope="module")
def own(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("own")


@pytest.fixture(scope="module")
def client(own: Path, tmp_path_factory: pytest.TempPathFactory) -> TestClient:
    folder = tmp_path_factory.mktemp("models")
    for spec in ("tic-tac-toe", "checkers"):
        learned(spec).save(folder / f"{spec}.grl.json")
    return TestClient(application(house([folder], own), Door()), base_url=HOME)


def model_of(client: TestClient, game: str) -> str:
    listed = client.get("/api/models").json()["models"]
    return next(each["id"] for each in listed if each["game"] == game)


def ask(client: TestClient, path: str, data: object) -> Any:
    answer = client.post(path, json=data)
    assert answer.status_code == 200, answer.text
    return answer.json()


def send(client: TestClient, name: str, content: bytes) -> Any:
    answer = client.post("/api/uploads", params={"name": name}, content=content)
    assert answer.status_code == 200, answer.text
    return answer.json()


def heard(client: TestClient, job: dict[str, Any]) -> list[dict[str, Any]]:
    """What the server sends of a job, to its end."""
    answer = client.get(f"/api/jobs/{job['id']}/events")
    assert answer.headers["content-type"].startswith("text/event-stream")
    return [json.loads(event.removeprefix("data: ")) for event in answer.text.split("\n\n")[:-1]]


def ended(client: TestClient, job: dict[str, Any]) -> dict[str, Any]:
    """The job when it has ended."""
    return heard(client, job)[-1]


def reference_game(spec: str, turns: list[str]) -> Position:
    game = games.load(spec)
    here = game.initial
    for turn in turns:
        assert turn in game.legal(here)
        here = game.play(here, turn)
    return here


def test_a_game_is_taught_from_an_uploaded_file(client: TestClient, tmp_path: Path) -> None:
    """The new model is there beside the old one, and plays by the reference's rules."""
    path = record("tic-tac-toe", tmp_path / "games.jsonl", 12)
    line = send(client, "../My Games.JSONL.gz", gzip.compress(path.read_bytes()))
    assert (line["name"], line["kind"], line["game"]) == (
        "my games.jsonl.gz",
        "traces",
        "tic-tac-toe",
    )
    old = model_of(client, "tic-tac-toe")
    views = heard(client, ask(client, "/api/learn", {"uploads": [line["id"]], "beside": old}))
    check_events(client, views)
    view = views[-1]
    assert (view["state"], view["error"]) == ("done", "")
    found = view["result"]
    assert found["model"] != old
    assert found["changes"]["records"]["after"]["missing"] == 0
    assert found["changes"]["records"]["after"]["endings"] > 0
    game = ask(client, "/api/games", {"model": found["model"], "turns": ["b2", "a1"]})
    reference = games.load("tic-tac-toe")
    here = reference_game("tic-tac-toe", ["b2 (0 0 a x)", "a1 (0 0 a o)"])
    assert game["turns"] == len(reference.legal(here)) == 7


def check_events(client: TestClient, views: list[dict[str, Any]]) -> None:
    """Events are the job as the OpenAPI file has it: on its way at least once, ended at last."""
    kept = client.get("/api/openapi.json").json()
    said = kept["paths"]["/api/jobs/{job}/events"]["get"]["responses"]["200"]["content"]
    schema = said["text/event-stream"]["schema"] | {"components": kept["components"]}
    for view in views:
        jsonschema.validate(view, schema)
    states = [view["state"] for view in views]
    assert set(states[:-1]) <= {"waiting", "running"}
    assert states[-1] == "done"
    assert any(view["stage"] for view in views[:-1])
    assert views[-1] == client.get(f"/api/jobs/{views[-1]['id']}").json()


def test_records_of_go_players_are_learned_from(client: TestClient) -> None:
    """SGF: captured stones are gone, as the rules of go have it."""
    pytest.importorskip("sgfmill", reason="the extra sgf is not installed")
    plain = "(;GM[1]SZ[5];B[ab];W[aa];B[ba];W[dd];B[cc];W[dc])"
    line = send(client, "Games.SGF", plain.encode() * 3)
    assert line["kind"] == "sgf"
    view = ended(client, ask(client, "/api/learn", {"uploads": [line["id"]]}))
    assert (view["state"], view["error"]) == ("done", "")
    model = view["result"]["model"]
    board = client.get(f"/api/models/{model}").json()["board"]
    assert (board["files"], board["ranks"]) == (5, 5)
    game = ask(client, "/api/games", {"model": model, "turns": ["a4", "a5"]})
    assert game["cells"].count(".") == 23


def test_moves_in_coordinates_are_on_the_board_of_the_model_beside(
    client: TestClient, tmp_path: Path
) -> None:
    text = b"[Event x]\n\n1. c3-d4 b6-c5 *\n" * 2
    line = send(client, "moves.txt", text)
    alone = client.post("/api/learn", json={"uploads": [line["id"]]})
    assert (alone.status_code, "board" in alone.json()["error"]) == (422, True)
    path, beside = tmp_path / "moves.txt", tmp_path / "checkers.grl.json"
    path.write_bytes(text)
    learned("checkers").save(beside)
    report: Report[Any] = Report(lambda _: None, None)
    found = lessons.taught(
        [lessons.Source("coordinates", path, path.name)], tmp_path, beside, report
    )
    assert (found["games"], found["game"]) == (2, "checkers")


@pytest.mark.parametrize("game", ["../x.py:Game", "/tmp/x.py:Game", "x.py", "a b"])
def test_no_game_is_a_file_of_the_server(client: TestClient, game: str) -> None:
    """A reference game in a file is a program."""
    found = client.post("/api/learn", json={"uploads": ["x"], "game": game})
    assert found.status_code == 400


def test_a_strategy_that_was_uploaded_plays(client: TestClient) -> None:
    line = send(client, "winning.lp", b":~ wins. [-1@1]")
    (listed,) = client.get("/api/players").json()["strategies"]
    assert listed == {"spec": f"strategy:{line['id']}", "name": "winning.lp"}
    turns = ["a1", "a2", "b1", "b2"]
    game = ask(client, "/api/games", {"model": model_of(client, "tic-tac-toe"), "turns": turns})
    at = f"/api/games/{game['id']}"
    ask(client, f"{at}/seats", {"seats": {"x": listed["spec"]}})
    over = ask(client, f"{at}/answer", {"play": True})["game"]
    assert over["goals"] == {"x": 100, "o": 0}
    broken = send(client, "script.lp", b"#script (python) print(1) #end. :~ wins. [-1@1]")
    fresh = ask(client, "/api/games", {"model": game["model"]})
    refused = client.post(
        f"/api/games/{fresh['id']}/answer", json={"player": f"strategy:{broken['id']}"}
    )
    assert refused.status_code == 422


def test_a_file_that_is_none_is_refused_in_a_line(client: TestClient) -> None:
    for name, content, status in (
        ("x.exe", b"MZ", 415),
        ("", b"x", 415),
        ("x.jsonl", b"", 422),
        ("x.jsonl", b'{"format": "grl-trace/1"}', 422),
        ("x.jsonl.gz", b"no gzip", 422),
        ("<b>.grl.json", b"{}", 422),
    ):
        answer = client.post("/api/uploads", params={"name": name}, content=content)
        assert answer.status_code == status, (name, answer.text)
        assert "\n" not in answer.json()["error"]
    broken = send(client, "x.pgn", b"no game at all")
    view = ended(client, ask(client, "/api/learn", {"uploads": [broken["id"]]}))
    assert view["state"] == "failed"
    assert view["error"]


def test_an_ilasp_task_is_solved(client: TestClient) -> None:
    task = b"a. #modeh(b). #modeb(a). #pos(one, {b}, {})."
    line = send(client, "task.las", task)
    view = ended(client, ask(client, "/api/learn", {"uploads": [line["id"]]}))
    assert view["result"]["hypothesis"] == ["b."]


def test_work_is_stopped_at_once(client: TestClient) -> None:
    model = model_of(client, "checkers")
    data = {"model": model, "players": ["uct:seconds=20", "random"], "games": 50}
    job = ask(client, "/api/batch", data)
    while client.get(f"/api/jobs/{job['id']}").json()["state"] == "waiting":
        time.sleep(0.02)
    assert client.delete(f"/api/jobs/{job['id']}").status_code == 200
    assert ended(client, job)["state"] == "stopped"


def test_many_games_between_two_players(client: TestClient) -> None:
    model = model_of(client, "tic-tac-toe")
    data = {"model": model, "players": ["mtdf:depth=4", "random"], "games": 8, "opening": 1}
    found = ended(client, ask(client, "/api/batch", data))["result"]
    assert (found["games"], found["won"] + found["drawn"] + found["lost"]) == (8, 8)
    assert found["won"] > found["lost"]
    assert found["course"][-1] == found["won"] + found["drawn"] / 2
    reference = games.load("tic-tac-toe")
    for game in found["records"]:
        last = reference_game("tic-tac-toe", game["turns"])
        assert reference.is_terminal(last)
        # After an opening of one ply it is o who begins the match.
        assert game["points"] == dict(reference.goals(last))["o"] / 100


def begun(client: TestClient, game: str, turns: list[str]) -> Any:
    return ask(client, "/api/games", {"model": model_of(client, game), "turns": turns})


def exported(client: TestClient, game: dict[str, Any], kind: str, **more: str) -> str:
    answer = client.get(f"/api/games/{game['id']}/export", params={"to": kind, **more})
    assert answer.status_code == 200, answer.text
    return answer.text


TURNS = ["c3-d4", "b6-c5"]


def test_a_position_exported_is_read_back_by_clingo(client: TestClient) -> None:
    """Program and facts together have the legal turns of the reference, and who is to move."""
    game = begun(client, "checkers", TURNS)
    facts = exported(client, game, "asp")
    program = client.get(f"/api/models/{game['model']}/program").text
    control = clingo.Control()
    control.add("base", [], program + facts)
    control.ground([("base", [])])
    with control.solve(yield_=True) as answers:
        (model,) = [answer.symbols(atoms=True) for answer in answers]
    legal = {
        str(atom.arguments[1])
        for atom in model
        if atom.name == "legal" and str(atom.arguments[0]) == "white"
    }
    reference = games.load("checkers")
    here = reference_game("checkers", ["c3 (1 1 e)", "b6 (1 -1 e)"])
    equipment = learned("checkers").model.equipment
    assert {turn_of(term, equipment) for term in legal} == set(reference.legal(here))


def test_a_game_goes_out_and_comes_back(client: TestClient) -> None:
    game = begun(client, "checkers", TURNS)
    text = exported(client, game, "asp-game")
    back = ask(client, "/api/facts", {"model": game["model"], "text": text})
    assert (back["note"], back["game"]["ply"], back["game"]["plies"]) == ("", 0, 2)
    assert [step["turn"] for step in back["game"]["steps"]] == [s["turn"] for s in game["steps"]]
    bare = "\n".join(line for line in text.splitlines() if not line.startswith("does"))
    guessed = ask(client, "/api/facts", {"model": game["model"], "text": bare})["game"]
    assert guessed["steps"] == back["game"]["steps"]


def test_what_a_hypothesis_prints_is_shown(client: TestClient) -> None:
    model = model_of(client, "tic-tac-toe")
    text = "cell(1,1,x) next(cell(2,1,o)) % a comment (\ncontrol(x)"
    game = ask(client, "/api/facts", {"model": model, "text": text})["game"]
    assert (game["cells"], game["to_move"]) == ("xo.......", "x")
    for wrong in ("cell(9,9,x).", "cell(1,1,knight).", "cell(1,1", "role(x).", "control(nobody). "):
        answer = client.post("/api/facts", json={"model": model, "text": wrong})
        assert answer.status_code == 422, wrong
    illegal = "true(cell(1,1,x),0). does(x,then(from(a1),appear(x_stone)),0)."
    assert "not legal" in ask(client, "/api/facts", {"model": model, "text": illegal})["note"]


def test_examples_and_orderings_are_tasks(client: TestClient) -> None:
    game = begun(client, "tic-tac-toe", ["a1", "a2", "b1", "b2"])
    task = parse(exported(client, game, "ilasp"))
    assert len(task.examples) == 5
    ordered = parse(exported(client, game, "orderings", player="mtdf:depth=2"))
    assert len(ordered.examples) == 5
    assert ordered.orderings
    winning = exported(client, game, "orderings", player="mtdf:depth=2").splitlines()
    assert (
        next(line for line in winning if line.startswith("% t0")) == "% t0: c1 (0 0 a x), wins in 1"
    )


def test_plans_and_records(client: TestClient, tmp_path: Path) -> None:
    game = begun(client, "tic-tac-toe", ["a1", "a2"])
    assert "(define (domain turns)" in exported(client, game, "pddl-domain")
    assert "(:goal (and (ended)))" in " ".join(exported(client, game, "pddl-problem").split())
    path = tmp_path / "game.jsonl"
    path.write_text(exported(client, game, "traces"))
    (play,) = Traces.open(path)
    assert [ply.turn for ply in play.plies] == ["a1 (0 0 a x)", "a2 (0 0 a o)"]
    assert client.get(f"/api/games/{game['id']}/export", params={"to": "x"}).status_code == 422


def test_played_games_are_recorded_and_learned_from(client: TestClient) -> None:
    turns = ["a1", "a2", "b1", "b2", "c1"]
    won = begun(client, "tic-tac-toe", turns)
    other = begun(client, "tic-tac-toe", turns[::-1])
    first = ask(client, f"/api/games/{won['id']}/record", {})
    assert ask(client, f"/api/games/{won['id']}/record", {})["games"] == first["games"]
    found = ask(client, f"/api/games/{other['id']}/record", {})
    assert found["games"] == first["games"] + 1
    assert found["upload"]["recorded"]
    view = ended(client, ask(client, "/api/learn", {"uploads": [found["upload"]["id"]]}))
    assert (view["state"], view["result"]["games"]) == ("done", found["games"])


def test_a_dialogue_asks_and_learns_on(client: TestClient, own: Path, tmp_path: Path) -> None:
    """The reference answers one question; what it says counts from then on."""
    path = record("tic-tac-toe", tmp_path / "few.jsonl", 1, seed=5)
    line = send(client, "few.jsonl", path.read_bytes())
    taught = ended(client, ask(client, "/api/learn", {"uploads": [line["id"]]}))["result"]
    job = ask(client, "/api/ask", {"model": taught["model"], "uploads": [line["id"]]})
    asked = ended(client, job)["result"]
    assert not asked["over"]
    reference = games.load("tic-tac-toe")
    here = Position(reference.equipment, asked["cells"], asked["to_move"])
    assert set(asked["turns"]) <= set(asked["offered"])
    ended_here = reference.is_terminal(here)
    wrong = client.post(f"/api/ask/{asked['talk']}", json={"turns": []})
    assert wrong.status_code == 422
    data = {"goals": reference.goals(here)} if ended_here else {"turns": reference.legal(here)}
    at = f"/api/ask/{asked['talk']}"
    again = TestClient(application(house([], own), Door()), base_url=HOME)
    assert again.get(at).json()["asked"] == asked, "a dialogue outlives the server"
    assert [talk["id"] for talk in again.get("/api/ask").json()] == [asked["talk"]]
    then = ended(again, ask(again, at, data))["result"]
    assert (then["answered"], then["talk"]) == (1, asked["talk"])
    assert then["model"] != taught["model"]
    later = TestClient(application(house([], own), Door()), base_url=HOME).get(at).json()
    assert (later["answered"], later["model"]) == (1, then["model"])


def test_lists_say_what_there_is(client: TestClient, own: Path) -> None:
    listed = client.get("/api/uploads").json()
    assert all(set(line) >= {"id", "name", "kind", "size"} for line in listed)
    assert all(job["result"] is None for job in client.get("/api/jobs").json())
    assert json.dumps(listed)
    assert client.get("/api/jobs/none").status_code == 404
    assert not list((own / "uploads").glob("lesson-*"))
