"""Popper's three files are read as a task, and written so that they are the same task again."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner

from grl.cli import main
from grl.las import Limits, TaskError, parse, solve
from grl.las.popper import popper_files, read_popper

KIN = {
    "bk.pl": "% a family\n:- dynamic parent/2.\nparent(ada,ben). parent(ben,cleo)./* and */\n"
    "parent(ben,dan). parent(eve,fay). parent(fay,gus). parent(cleo,hal).\n",
    "bias.pl": "head_pred(anc,2). body_pred(parent,2). type(anc,(person,person)).\n"
    "type(parent,(person,person)). max_vars(3). max_body(2). enable_recursion.\n",
    "exs.pl": "pos(anc(ada,ben)). pos(anc(ada,cleo)). pos(anc(ada,hal)). pos(anc(eve,gus)).\n"
    "neg(anc(ben,ada)). neg(anc(cleo,dan)). neg(anc(ada,ada)). neg(anc(eve,ben)).\n",
}
TRAINS = {
    "bk.pl": "car(t1,c1). car(t1,c2). car(t2,c3). car(t3,c4). car(t3,c5). car(t4,c6).\n"
    "long(c1). short(c2). long(c3). short(c4). short(c5). short(c6). roof(c2). roof(c3).\n"
    "roof(c5). odd(C) :- roof(C), \\+ short(C).\n",
    "bias.pl": "head_pred(east,1). body_pred(car,2). body_pred(long,1). body_pred(short,1).\n"
    "body_pred(roof,1). body_pred(odd,1). type(east,(train,)). type(car,(train,car)).\n"
    "type(long,(car,)). type(short,(car,)). type(roof,(car,)). type(odd,(car,)). max_vars(2).\n",
    "exs.pl": "pos(east(t1)). pos(east(t3)). neg(east(t2)). neg(east(t4)).\n",
}


def folder(at: Path, files: dict[str, str]) -> Path:
    at.mkdir()
    for name, text in files.items():
        (at / name).write_text(text)
    return at


def test_an_ancestor_is_learned_by_recursion(tmp_path: Path) -> None:
    outcome = solve(read_popper(folder(tmp_path / "kin", KIN)))
    assert (outcome.proven, outcome.cost, len(outcome.rules or ())) == (True, 5, 2)


def test_cars_of_trains_are_joined(tmp_path: Path) -> None:
    outcome = solve(read_popper(folder(tmp_path / "trains", TRAINS)))
    assert outcome.cost == 4
    (rule,) = outcome.program()
    assert rule == "east(V1) :- car(V1,V2); short(V2); roof(V2)."


@pytest.mark.parametrize("files", [KIN, TRAINS])
def test_what_is_written_is_read_again(tmp_path: Path, files: dict[str, str]) -> None:
    task = read_popper(folder(tmp_path / "one", files))
    again = read_popper(folder(tmp_path / "two", popper_files(task)))
    assert solve(again).program() == solve(task).program()


def test_the_command_reads_a_folder_and_writes_one(tmp_path: Path) -> None:
    one = folder(tmp_path / "one", TRAINS)
    run = CliRunner().invoke
    result = run(main, ["las", "--popper", str(one)])
    assert "east(V1) :- car(V1,V2); short(V2); roof(V2)." in result.stdout
    two = tmp_path / "two"
    assert run(main, ["las", "--popper", str(one), "--write-popper", str(two)]).exit_code == 0
    assert run(main, ["las", "--popper", str(two)]).stdout == result.stdout
    assert run(main, ["las", str(one)]).exit_code == 2


def test_a_script_is_refused(tmp_path: Path) -> None:
    files = {**KIN, "bias.pl": "#script(python) #end. " + KIN["bias.pl"]}
    with pytest.raises(TaskError, match="#script"):
        read_popper(folder(tmp_path / "bad", files))


@pytest.mark.parametrize(
    "text",
    [
        "#modeh(p(var(t))). #modeb(1,q(var(t))). #pos({p(a)},{}).",
        "#modeh(p(var(t))). #modeb(1,q(var(t)),(positive)). #pos({p(a)},{},{q(a).}).",
        "#modeha(p(var(t))). #pos({p(a)},{}).",
    ],
)
def test_what_popper_lacks_is_not_written(text: str) -> None:
    with pytest.raises(TaskError):
        popper_files(parse(text, limits=Limits()))
