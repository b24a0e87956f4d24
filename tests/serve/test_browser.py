"""The page in a real browser: games clicked through to their end, refused turns, lessons."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import Any

import pytest
from browser import Browser, programs, served
from learned import learned, name_of, record

from grl import games
from grl.board import Position
from grl.notation import find_turn
from grl.turn import Turn

SPECS = (
    "tic-tac-toe",
    "connect-four",
    "breakthrough:width=6,height=6",
    "checkers",
    "amazons:width=6,height=6",
    "peg-solitaire",
)


@pytest.fixture(scope="module")
def page(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Browser]:
    programs()
    folder = tmp_path_factory.mktemp("models")
    for spec in SPECS:
        learned(spec).save(folder / f"{name_of(spec)}.grl.json")
    with served(folder, tmp_path_factory.mktemp("own")) as address:
        browser = Browser(address)
        try:
            yield browser
        finally:
            browser.close()


@pytest.fixture(autouse=True)
def _silent(page: Browser) -> Iterator[None]:
    """No test leaves an error in the console."""
    page.errors()
    yield
    assert page.errors() == []


def way(position: Position, text: str) -> list[str]:
    """The squares of a turn that somebody would click: where it starts, turns aside, and ends."""
    found: list[str] = []
    for segment in Turn.parse(text).segments:
        path = [position.board.names[square] for square in segment.path(position.board)]
        following = [*segment.letters[1:], None]
        stops = [
            name
            for name, letter, then in zip(path[1:], segment.letters, following, strict=True)
            if then is None or (letter.dx, letter.dy) != (then.dx, then.dy)
        ]
        for name in (path[0], *stops):
            if found[-1:] != [name]:
                found.append(name)
    return found


def click_through(page: Browser, position: Position, text: str, ply: int) -> None:
    """Play a turn by clicks: every square that is clicked was lit, and choices are made by name."""
    for at, square in enumerate(way(position, text)):
        state = page.state() if at else None
        if state is not None and (state.ply == ply + 1 or state.choices):
            break
        # Where it isn't lit it was the only way on, and the page has gone there by itself.
        if state is None or square in state.lit:
            page.square(square)
    if page.ply() != ply + 1:
        for key in re.findall(r"a (\S)\)", text):
            kind = position.equipment.pieces[key].type
            named = (b for b in page.all(".choices:not([hidden]) button") if kind in b.text)
            for button in islice(named, 1):
                button.click()
    page.settled(ply + 1)


def short_game(reference: games.Game) -> list[str]:
    """The turns of the shortest of a few random games."""
    found: list[list[str]] = []
    for seed in range(40):
        here, chance, turns = reference.initial, random.Random(seed), []
        while not reference.is_terminal(here):
            turns.append(chance.choice(reference.legal(here)))
            here = reference.play(here, turns[-1])
        found.append(turns)
    return min(found, key=len)


@pytest.mark.parametrize("spec", SPECS)
def test_a_whole_game_is_clicked_to_its_end(page: Browser, spec: str) -> None:
    """The reference says what is legal, where the game ends and for whom."""
    page.open("play")
    page.model(name_of(spec))
    reference = games.load(spec)
    here = reference.initial
    for ply, text in enumerate(short_game(reference)):
        assert page.lit() == {way(here, each)[0] for each in reference.legal(here)}
        click_through(page, here, text, ply)
        here = reference.play(here, text)
    goals = reference.goals(here)
    best = [player for player, goal in goals.items() if goal == 100]
    verdict = page.one(".verdict").text
    if len(goals) > 1:
        assert verdict == (f"{best[0]} wins." if best else "A draw.")
    assert page.one(".status .sentence").text.startswith("The game is over")


def test_a_whole_game_by_keyboard_alone(page: Browser) -> None:
    """Arrows go from square to square, Enter chooses; labels say what can be done there."""
    page.open("play")
    page.model("tic-tac-toe")
    page.run("document.querySelector('#board [tabindex=\"0\"]').focus()")
    here = "a1"
    for ply, square in enumerate(["b2", "a1", "c1", "a3", "a2", "c2", "b1", "b3", "c3"]):
        dx, dy = ord(square[0]) - ord(here[0]), int(square[1]) - int(here[1])
        page.press(*(["\ue014" if dx > 0 else "\ue012"] * abs(dx)))
        page.press(*(["\ue013" if dy > 0 else "\ue015"] * abs(dy)))
        label = page.run("return document.activeElement.getAttribute('aria-label')")
        assert label == f"{square}, empty, can begin a turn"
        page.press("\ue007")
        page.settled(ply + 1)
        here = square
    assert page.one(".verdict").text == "A draw."
    page.until(lambda: "A draw" in page.run("return document.getElementById('live').textContent"))


def test_a_turn_is_refused_and_explained(page: Browser) -> None:
    """Who can take must: dragging another man shows the rule and the turn to be played."""
    page.open("play")
    page.model("checkers")
    page.drag("c3", "d4")
    page.settled(1)
    page.drag("b6", "c5")
    page.settled(2)
    page.square("d4")
    assert page.lit() == {"c5", "b6"}
    page.press("\ue00c")
    page.drag("a3", "b4")
    reason = page.one(".reason.no").text
    assert "not legal" in reason
    assert "A turn is illegal" in reason
    page.one(".reason .turn, .reason button").click()
    page.settled(3)
    assert page.one(".ply.now").text == "d4×b6"


def test_the_automaton_follows_letter_by_letter(page: Browser) -> None:
    page.open("play")
    page.model("checkers")
    page.click("#tab-automata")
    page.square("c3")
    page.until(lambda: page.all(".picture.live .state.lit"))
    assert page.one(".picture.live .state.lit text").text == "0"
    assert page.one(".word").text == "c3"
    page.click("#tab-turns")


def test_rules_say_where_they_decide(page: Browser) -> None:
    page.open("play")
    page.model("checkers")
    for start, end, ply in (("c3", "d4", 1), ("b6", "c5", 2)):
        page.drag(start, end)
        page.settled(ply)
    page.click("#tab-rules")
    here = page.until(lambda: page.all(".rules li.here"))
    assert " here" in here[-1].text
    page.click(".rules li.here summary")
    page.until(lambda: len(page.all(".rules li.here .pair svg")) == 2)
    # Who can take must: the sentence shows every other turn in red, the captures in green.
    rivals = [each for each in page.all(".rules li.here") if "take" in each.text]
    rivals[0].find_element("css selector", ".count").click()
    page.until(lambda: page.all("#board .over .head.good"))
    forbidden = int(re.findall(r"forbids (\d+) here", rivals[0].text)[0])
    assert len(page.all("#board .over .head.bad")) == forbidden
    assert len(page.all("#board .marks .rule")) > forbidden
    page.click("#tab-turns")


def test_undo_a_player_and_a_position_of_one_s_own(page: Browser) -> None:
    page.open("play")
    page.model("tic-tac-toe")
    page.choose('[aria-label="Player of o"]', "swift")
    page.choose('[aria-label="Budget of o"]', "nodes=1000")
    page.until(lambda: page.one('[aria-label="Evaluation of o"]').is_displayed())
    page.choose('[aria-label="Evaluation of o"]', "fuzzy + latches")
    page.square("b2")
    page.settled(2)
    assert "swift:nodes=1000,evaluation=fuzzy+latches" in page.one(".thought").text
    page.click("#undo")
    page.settled(0)
    page.choose('[aria-label="Player of o"]', "random")
    page.until(lambda: not page.all(".seat.thinks"))
    for square in ("b2", "a1"):
        page.square(square)
        page.settled(2)
        page.click("#undo")
        page.settled(0)
    page.click("#setup")
    page.click('.palette [data-key="x"]')
    for square in ("a1", "b1"):
        page.square(square)
    page.click('.palette [data-key="o"]')
    for square in ("a3", "b3"):
        page.square(square)
    page.click("#begin-here")
    page.until(lambda: page.all(".mover") and not page.all(".palette"))
    page.until(lambda: page.lit() == {"a2", "b2", "c1", "c2", "c3"})
    page.square("c1")
    page.until(lambda: page.all(".verdict"))
    assert page.one(".verdict").text == "x wins."


def test_a_player_judges_and_the_bar_shows_it(page: Browser) -> None:
    page.open("play")
    page.model("tic-tac-toe")
    for ply, square in enumerate(("a1", "a2", "b1", "b2"), 1):
        page.square(square)
        page.settled(ply)
    page.click("#tab-analysis")
    best = page.one(".variations li")
    assert best.text.startswith("c1=x wins in 1*")
    page.until(lambda: page.one(".bar").get_attribute("title") == "x 100%")
    page.click("#hint")
    page.until(lambda: "c1=x" in page.one(".reason.hint").text)
    page.click(".variations button")
    page.settled(5)
    page.click("#tab-turns")


def test_a_game_is_taught_from_an_uploaded_file(page: Browser, tmp_path: Path) -> None:
    path = record("tic-tac-toe", tmp_path / "lesson.jsonl", 12, seed=3)
    here = tmp_path / "position.json"
    here.write_text('{"rows": ["xo.", "...", "..x"], "to_move": "o"}')
    page.open("play")
    page.model("tic-tac-toe")
    page.click('[data-page="teach"]')
    page.one("#learn")
    page.all("#files")[0].send_keys(str(here))
    page.until(lambda: page.lit() == {"a1", "b1", "a2", "b2", "c2", "c3"})
    page.click('[data-page="teach"]')
    page.all("#files")[0].send_keys(str(path))
    page.until(lambda: "lesson.jsonl" in page.one("#page-teach").text)
    page.click("#learn")
    page.until(lambda: page.all("#open-learned"))
    assert "on these records" in page.one("#changes").text
    page.click("#open-learned")
    page.until(lambda: page.driver.title.startswith("tic-tac-toe ("))
    page.until(lambda: len(page.lit()) == 9)
    page.square("b2")
    page.settled(1)


def test_many_games_and_one_of_them_step_by_step(page: Browser) -> None:
    page.open("play")
    page.model("tic-tac-toe")
    page.click('[data-page="batch"]')
    for selector, value in (("#one", "mtdf:depth=3"), ("#count", "6")):
        page.one(selector).clear()
        page.one(selector).send_keys(value)
    page.click("#run")
    page.until(lambda: page.all("#batch-result details"))
    cells = [cell.text for cell in page.all("#batch-result tbody tr:first-child td")]
    assert cells[0] == "mtdf:depth=3"
    assert sum(map(int, cells[1:4])) == 6
    assert page.all("#batch-result .plot polyline")
    page.click("#batch-result summary")
    page.click("#batch-result details button")
    page.until(lambda: page.all(".plies .ply"))
    page.click("#redo")
    page.settled(1)


def test_facts_go_out_and_come_back(page: Browser) -> None:
    """What is exported is read by clingo, and by the page again."""
    import clingo

    page.open("play")
    page.model("tic-tac-toe")
    for ply, square in enumerate(("b2", "a1"), 1):
        page.square(square)
        page.settled(ply)
    page.click('[data-page="games"]')
    page.choose("#export-kind", "asp-game")
    page.click("#export")
    text = page.until(lambda: page.one("#exported").text)
    control = clingo.Control()
    control.add("base", [], text + "#show does/3.")
    control.ground([("base", [])])
    with control.solve(yield_=True) as answers:
        (played,) = [sorted(map(str, answer.symbols(shown=True))) for answer in answers]
    assert len(played) == 2
    page.one("#facts").send_keys(text)
    page.click("#import")
    page.until(lambda: not page.run("return document.getElementById('page-play').hidden"))
    page.until(lambda: [each.text for each in page.all(".ply")] == ["b2=x", "a1=o"])


def test_nothing_from_a_file_becomes_markup(page: Browser, tmp_path: Path) -> None:
    """Names with markup in them are shown as they are."""
    path = record("tic-tac-toe", tmp_path / "plain.jsonl", 12, seed=4)
    odd = "<img src=x onerror=document.title=1>"
    text = path.read_text().replace('"tic-tac-toe"', f'"{odd}"').replace('"stone"', f'"{odd}"')
    path.write_text(text)
    page.open("teach")
    page.all("#files")[0].send_keys(str(path))
    page.until(lambda: odd in page.one("#page-teach").text)
    page.click("#learn")
    page.click("#open-learned")
    page.until(lambda: page.driver.title.startswith("<img"))
    assert page.run("return document.querySelectorAll('main img').length") == 0


@pytest.mark.parametrize("where", ["play", "teach", "batch", "games"])
def test_the_page_is_accessible(page: Browser, where: str) -> None:
    """The rules of axe-core, where the package that carries them is installed."""
    axe: Any = pytest.importorskip("axe_core_python", reason="no axe-core package")
    page.open(where)
    page.run(Path(axe.__file__).with_name("axe.min.js").read_text(encoding="utf-8"))
    if where == "play":
        page.click("#tab-rules")
        page.until(lambda: len(page.one("#panel-rules").text) > 20)
    found = page.driver.execute_async_script("axe.run().then(arguments[arguments.length - 1])")
    assert [(each["id"], each["help"]) for each in found["violations"]] == []


def test_the_page_fits_a_phone(page: Browser) -> None:
    """Nothing is wider than the screen."""
    page.driver.set_window_size(390, 844)
    try:
        for where in ("play", "teach", "batch", "games"):
            page.open(where)
            wide = page.run("return [document.documentElement.scrollWidth, innerWidth]")
            assert wide[0] <= wide[1], where
    finally:
        page.driver.set_window_size(1200, 1000)


def test_short_names_are_those_of_the_notation() -> None:
    """What tests read off the page can be typed, too."""
    here = games.load("checkers").initial
    assert str(find_turn(here, "c3-d4", lambda: [Turn.parse("c3 (1 1 e)")])) == "c3 (1 1 e)"
