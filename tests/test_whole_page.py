"""A game on one page: what it shows, that it needs nothing from elsewhere, and that it is safe."""

from __future__ import annotations

import re
import shutil
import stat
from dataclasses import replace
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result
from effect_terms import effect as effect_of
from race import race_model

from grl.board import Board, Equipment, Piece, Player, Square, make_position
from grl.cli import main
from grl.errors import MissingExtra
from grl.model import Literal, Machine, Model, Rule, Rules, StateId
from grl.modelfile import write_model
from grl.render import engines
from grl.render.boards import MOST_SQUARES, board_svg
from grl.render.browser import printed
from grl.render.page import inline_svg

STUCK = Literal(("stuck", 0), True)


def whole_model() -> Model:
    """A race with rules of every kind and a machine."""
    model = race_model()
    players = model.equipment.players
    rules = Rules(
        dict.fromkeys(players, "identity"),
        restrictions=(Rule((), (), 12, 3, True),),
        endings=(Rule((STUCK,), (0, 100), 1_234),),
        control=(Rule((), (1,), 7),),
    )
    machine = Machine(
        *(players[0], next(iter(model.equipment.pieces)), "zero", 2),
        ((StateId(0), "move_runner", 0, StateId(1)),),
        frozenset({StateId(0)}),
        frozenset({StateId(1)}),
    )
    report = {
        "games": 20,
        "automata": [
            {"key": str(dfa.key), "sure": number > 0, "support": 1, "doubt": 0, "open": []}
            | {"weakest": "(0 1 e)"}
            for number, dfa in enumerate(model.automata)
        ],
    }
    effect = effect_of(("passed",), "removed")
    return replace(model, rules=rules, machines=(machine,), report=report, effects=(effect,))


def page(model: Model, folder: Path, *options: str) -> Result:
    path = folder / "model.grl.json"
    write_model(model, path)
    arguments = ["render", str(path), "--all", "-o", str(folder / "pages"), *options]
    return CliRunner().invoke(main, arguments)


def text_of(model: Model, folder: Path, monkeypatch: pytest.MonkeyPatch | None = None) -> str:
    """The page of a model as text; without pictures where `monkeypatch` is given."""
    if monkeypatch is not None:
        monkeypatch.setattr(engines, "available", tuple)
    result = page(model, folder)
    assert result.exit_code == 0, result.output
    (path,) = (folder / "pages").iterdir()
    assert result.stdout == f"wrote {path}\n"
    return path.read_text(encoding="utf-8")


class Elements(HTMLParser):
    """The elements of a page with their attributes, and what lies open at its end."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.found: list[tuple[str, dict[str, str | None]]] = []
        self.open: list[str] = []
        self.words: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found.append((tag, dict(attrs)))
        if tag != "meta":
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found.append((tag, dict(attrs)))

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.words.append(data)


def test_a_page_shows_board_pieces_pictures_and_all_parts_of_the_rules(tmp_path: Path) -> None:
    if not engines.available():
        pytest.skip("no Graphviz on this machine")
    model = whole_model()
    text = text_of(model, tmp_path)
    elements = Elements(text)
    assert elements.open == []
    shown = " ".join("".join(elements.words).split())
    assert "Rules learned from the records of 20 games" in shown
    for title in (
        "Board and pieces",
        "How pieces move",
        "Effects",
        "Restrictions",
        "Endings",
        "Who moves next",
        "What the records leave open",
        "The order of actions within a turn",
    ):
        assert title in shown
    assert "are removed." in shown
    assert "A turn is illegal. (12 positions for it, 3 against) refuted" in shown
    ending = "The game is over if the player to move has no turn to play: 0 for the player to move"
    assert f"{ending} and 100 for the other player. (1,234 positions for it, none against)" in shown
    assert "move_runner: a runner moves" in shown
    assert "not sure" in shown
    figures = [tag for tag, _ in elements.found if tag == "figure"]
    assert len(figures) == len(model.automata) + len(model.machines)
    pieces = len(model.equipment.pieces)
    assert sum(tag == "svg" for tag, _ in elements.found) == 1 + pieces + len(figures)
    assert "(0 1 e)" in shown


def test_a_page_needs_nothing_from_elsewhere(tmp_path: Path) -> None:
    text = text_of(whole_model(), tmp_path)
    elements = Elements(text)
    tags = {tag for tag, _ in elements.found}
    assert not tags & {"script", "link", "img", "iframe", "object", "use", "image", "a"}
    for _, attributes in elements.found:
        assert not any("href" in name or "src" in name or name[:2] == "on" for name in attributes)
    assert not re.search(r"url\(|@import|<\?xml|<!DOCTYPE svg|https?:", text)
    ids = [attributes["id"] for _, attributes in elements.found if "id" in attributes]
    assert len(ids) == len(set(ids))


def test_whatever_comes_from_a_model_is_escaped(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    evil = "<script>alert('1')</script>\"&\x1b"
    player = Player(evil)
    equipment = Equipment(
        Board(2, 2),
        (player, Player("b")),
        {"<": Piece("<", player, evil), "&": Piece("&", None, evil)},
    )
    initial = make_position(equipment, ["<.", ".&"], player, {evil: {"<": 2}})
    model = Model(evil, equipment, initial, race_model().automata[:0], passes={player: "forced"})
    odd = replace(model, report={"games": 1}, machines=(odd_machine(player),))
    text = text_of(odd, tmp_path, monkeypatch)
    elements = Elements(text)
    assert elements.open == []
    assert "script" not in {tag for tag, _ in elements.found}
    assert "\x1b" not in text
    assert "".join(elements.words).count("<script>alert('1')</script>\"&?") >= 5


def odd_machine(player: Player) -> Machine:
    edge = ((StateId(0), "<b>&", 0, StateId(0)),)
    start = frozenset({StateId(0)})
    return Machine(player, "<", "zero", 1, edge, start, start)


def test_without_graphviz_the_transitions_stand_in_the_place_of_pictures(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    model = whole_model()
    text = text_of(model, tmp_path, monkeypatch)
    assert text.count("<svg") == 1 + len(model.equipment.pieces)
    assert "0 to 1: move_runner" in text


def test_a_model_without_rules_says_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    text = text_of(race_model(), tmp_path, monkeypatch)
    assert "Restrictions, endings and who moves next were not learned." in text


def test_a_page_of_the_same_model_has_the_same_bytes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    one = text_of(whole_model(), tmp_path, monkeypatch)
    assert one == text_of(whole_model(), tmp_path, monkeypatch)


@pytest.mark.parametrize("kind", ["png", "dot"])
def test_a_page_is_html_or_pdf_and_nothing_else(tmp_path: Path, kind: str) -> None:
    result = page(race_model(), tmp_path, "--format", kind)
    assert result.exit_code == 2
    assert "--all" in result.stderr
    assert not (tmp_path / "pages").exists()


def test_a_page_as_pdf_is_printed_by_a_browser(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(engines, "available", tuple)
    browser = tmp_path / "chromium"
    script = 'for a; do case "$a" in --print-to-pdf=*) echo "%PDF-" > "${a#*=}";; esac; done'
    browser.write_text(f"#!/bin/sh\n{script}\n", encoding="utf-8")
    browser.chmod(browser.stat().st_mode | stat.S_IXUSR)
    found = {"chromium": str(browser)}
    monkeypatch.setattr(shutil, "which", found.get)
    result = page(whole_model(), tmp_path, "--format", "pdf")
    assert result.exit_code == 0, result.output
    (path,) = (tmp_path / "pages").iterdir()
    assert path.suffix == ".pdf"
    assert path.read_bytes() == b"%PDF-\n"


def test_without_a_browser_a_pdf_is_a_missing_extra(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(shutil, "which", lambda _: None)
    with pytest.raises(MissingExtra, match="print it"):
        printed("<p>")
    broken = tmp_path / "chromium"
    broken.write_text("#!/bin/sh\nexit 3\n", encoding="utf-8")
    broken.chmod(broken.stat().st_mode | stat.S_IXUSR)
    monkeypatch.setattr(shutil, "which", lambda _: str(broken))
    with pytest.raises(MissingExtra, match="gave status 3"):
        printed("<p>")


def shapes(board: Board, rows: list[str]) -> Any:
    player = Player("white")
    equipment = Equipment(board, (player,), {"m": Piece("m", player, "man")})
    return board_svg(make_position(equipment, rows, player))


def test_a_board_has_its_squares_pieces_and_names_and_no_holes() -> None:
    svg = shapes(Board(3, 2, frozenset({Square(0)})), ["m.m", "#.."])
    assert svg.count("<rect") == 5
    assert svg.count("<circle") == svg.count("white man") == 2
    assert re.findall(r">([a-c12])</text>", svg) == ["a", "b", "c", "1", "2"]


def test_a_board_with_links_has_points_and_lines() -> None:
    links = [(Square(0), Square(1)), (Square(1), Square(0)), (Square(1), Square(2))]
    svg = shapes(Board(3, 1, links=frozenset(links)), ["..."])
    assert "<rect" not in svg
    assert svg.count("<circle") == 3
    assert svg.count("<line") == 2
    assert svg.count("stroke-dasharray") == 1


def test_a_board_of_thousands_of_squares_is_no_picture() -> None:
    assert shapes(Board(MOST_SQUARES + 1, 1), ["." * (MOST_SQUARES + 1)]) is None


def test_a_picture_within_a_page_has_no_names_or_links() -> None:
    picture = (
        b'<?xml version="1.0"?><!DOCTYPE svg><svg xmlns="http://www.w3.org/2000/svg" '
        b'xmlns:xlink="http://www.w3.org/1999/xlink"><g id="node1" class="node"><title>s0</title>'
        b'<a xlink:href="x"><text xml:space="preserve">0 &lt; 1</text></a></g></svg>'
    )
    assert inline_svg(picture) == (
        '<svg><g><a><text space="preserve">0 &lt; 1</text></a></g></svg>'
    )
