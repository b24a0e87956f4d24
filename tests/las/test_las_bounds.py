"""Tasks out of all bounds: one clear error each, and limits that stop what can't be interrupted."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from grl.cli import main
from grl.las import Limits, parse, solve
from grl.las.evaluate import arithmetic
from grl.las.membership import membership
from grl.las.task import TaskError

SIMPLE = "p(a). #pos({t(a)},{t(b)}). #modeh(t(var(v))). #modeb(1,p(var(v)))."
HUGE = "99999999999999999999"
GROWING = "n(1..3000). q(X,Y,Z) :- n(X), n(Y), n(Z)."
"""Grounding takes hours and all memory."""
POSIX = pytest.mark.skipif(os.name != "posix", reason="sends signals")


def las(tmp_path: Path, text: str, *args: str) -> Result:
    path = tmp_path / "task.las"
    path.write_text(text)
    return CliRunner().invoke(main, ["las", str(path), *args])


def nested(levels: int) -> str:
    return "f(" * levels + "a" + ")" * levels


@pytest.mark.parametrize(
    "text",
    [
        f"#pos(e@{HUGE},{{t(a)}},{{}}).",
        f"#pos(e,{{t({HUGE})}},{{}}).",
        f"{HUGE} ~ t(a).",
        f"1 ~ :~ p(a).[{HUGE}@1]",
        f"#weight({HUGE}).",
        f"#maxp({HUGE}).",
        f"#max_penalty({HUGE}).",
        f"#constant(c,0..{HUGE}).",
        f"q({HUGE}).",
        "q(0xFFFFFFFFFF).",
        f"#pos({{}},{{}},{{q({'9' * 6000}).}}).",
        f'#bias("q({HUGE}).").',
    ],
)
def test_a_number_that_clingo_does_not_have_is_refused(text: str) -> None:
    with pytest.raises(TaskError) as caught:
        parse(f"p(a).\n{text}")
    assert caught.value.place.line == 2
    assert "too large" in str(caught.value)
    assert caught.value.expected == "at most 2147483647"
    assert caught.value.found is not None


@pytest.mark.parametrize(
    "text",
    [
        f"#pos({{{nested(5000)}}},{{}}).",
        f"#modeb(1,p({nested(5000)})).",
        f"q({nested(100_000)}).",
        f"q({'(' * 5000}1{')' * 5000}).",
        f"q({'-' * 5000}1).",
        f"#modeb(1,p({'+'.join(['1'] * 5000)})).",
        f"q({'+'.join(['1'] * 100_000)}).",
        f"q({'|' * 5000}1).",
        f"#pos({{}},{{}},{{q({nested(5000)}).}}).",
    ],
)
def test_what_is_nested_too_deeply_is_refused(text: str) -> None:
    with pytest.raises(TaskError, match=r"line 2: column \d+: the nesting is too deep"):
        parse(f"p(a).\n{text}")


def test_what_is_nested_a_hundred_times_is_learned_from() -> None:
    deep = nested(100)
    task = parse(f"p({deep}). p(a). #pos({{t({deep})}},{{t(a)}}). #modeh(t(var(v))). "
                 f"#modeb(1,p(var(v))). #modeb(1,var(v) != a). #maxv(1).")  # fmt: skip
    assert solve(task).rules is not None


def test_a_long_list_is_not_deep() -> None:
    atoms = ",".join(f"t(f({n}))" for n in range(500))
    assert len(parse(f"p({';'.join(map(str, range(500)))}). #pos({{{atoms}}},{{}}).").examples) == 1


def test_a_rule_asked_about_has_the_same_bounds(tmp_path: Path) -> None:
    for rule in (f"t({nested(5000)}).", f"t({HUGE}).", '#include "/etc/hostname".'):
        with pytest.raises(TaskError):
            membership(parse(SIMPLE), rule)
        result = las(tmp_path, SIMPLE, "--why", rule)
        assert (result.exit_code, result.stderr.count("\n")) == (2, 1)


def test_costs_that_clingo_cannot_add_up_are_refused() -> None:
    rules = "2147483647 ~ b. 2147483647 ~ c. #max_penalty(2147483647). #pos({b,c},{})."
    with pytest.raises(TaskError, match="too large"):
        solve(parse(rules))


def test_arithmetic_is_that_of_32_bits() -> None:
    assert arithmetic("+", [2**31 - 1, 1]) == -(2**31)
    assert arithmetic("**", [3, 40]) == 689956897
    assert arithmetic("**", [2, 10**9]) == 0


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("#modeh(p(var(t),)).", "an argument is missing"),
        ("#modeb(1,p(a,var(t),)).", "an argument is missing"),
        ("#modeh(p(var())).", "not a place"),
        ("#modeh(p(var(t,u))).", "not a place"),
        ("#modeh(p(const(f(x)))).", "not a place"),
        ("#modeh(p(,a)).", "expected a term"),
        ("#pos({a,},{}).", "an atom is missing"),
        ("#pos({a},{b;}).", "an atom is missing"),
        ("#pos({a},{}", "the end of the file"),
        ("#pos({a},{},{p.).", "a context is not ended"),
        ("#modebb(1,p).", "is it #modeb?"),
        ("#positive({a},{}).", "unknown directive"),
        ("#modeh(p) #modeb(1,q).", "expected ."),
        ("#maxv(2)", "expected ."),
        ("#constant(f(x),1).", "not the name of a type"),
        ("#constant(c,1..2000000000).", "the interval is too long"),
        ('#bias("#include \\"/etc/hostname\\".").', "reaches outside"),
        ("p :- q", "a statement is not ended"),
        ("p(a)).", ""),
    ],
)
def test_slips_are_named(text: str, said: str) -> None:
    with pytest.raises(TaskError) as caught:
        parse(text)
    assert said in str(caught.value)
    assert caught.value.place.line == 1


def test_a_tuple_of_one_keeps_its_comma() -> None:
    assert parse("#pos({p((a,))},{}).").examples[0].inclusions == ("p((a,))",)


def test_a_file_without_end_is_not_read_to_its_end(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("grl.las.syntax.MOST_BYTES", 100)
    result = las(tmp_path, SIMPLE + " " * 100)
    assert (result.exit_code, result.stdout) == (2, "")
    assert "the file is too large; expected at most 100 bytes" in result.stderr


@pytest.mark.parametrize("limit", [("--time-limit", "0.3"), ("--memory-limit", "300")])
def test_grounding_ends_with_the_limits(tmp_path: Path, limit: tuple[str, str]) -> None:
    result = las(tmp_path, GROWING + SIMPLE, *limit)

    word = "time" if "time" in limit[0] else "memory"
    assert result.exit_code == 1
    assert result.stdout.splitlines() == [
        f"% no covering hypothesis found within the {word} limit",
        "% not proven optimal",
    ]


@pytest.mark.parametrize("question", [["-s"], ["--why", "t(X) :- p(X)."], ["--explain"]])
def test_questions_end_with_the_time(tmp_path: Path, question: list[str]) -> None:
    modes = " ".join(f"#modeb(3,r{n}(var(v),var(v),var(v)))." for n in range(9)) + " #maxv(9)."
    wide = f"t(X) :- {', '.join('r0(X,X,X)' for _ in range(60))}."
    args = ["--why", wide] if question[0] == "--why" else question
    result = las(tmp_path, GROWING + SIMPLE + modes, *args, "-ml", "60", "--time-limit", "0.5")

    assert result.exit_code == 1
    assert all(line.startswith("%") for line in result.stdout.splitlines())


def test_json_says_which_limit_it_was(tmp_path: Path) -> None:
    result = las(tmp_path, GROWING + SIMPLE, "--time-limit", "0.2", "--json")
    found = json.loads(result.stdout)
    assert (found["status"], found["rules"], found["ended"]) == ("unknown", None, "time")


@pytest.mark.parametrize("command", ["las", "locm", "iggp", "compare", "from-traces"])
def test_seconds_are_a_number_or_inf(tmp_path: Path, command: str) -> None:
    file = tmp_path / "task.las"
    file.write_text(SIMPLE)
    line = {
        "las": ["las", str(file)],
        "locm": ["locm", str(file), "-o", str(tmp_path / "o")],
        "iggp": ["iggp", str(file), "-o", str(tmp_path / "o")],
        "compare": ["compare", str(file), "--prove", str(file)],
        "from-traces": ["las", "from-traces", str(file), "--target", "next", "-o", str(file)],
    }[command]
    for bad in ("nan", "-1", "-inf", "soon"):
        result = CliRunner().invoke(main, [*line, "--time-limit", bad])
        assert result.exit_code == 2
        assert "is not a number of seconds" in result.stderr
    if command == "las":
        assert CliRunner().invoke(main, [*line, "--time-limit", "inf"]).exit_code == 0
        assert CliRunner().invoke(main, [*line, "--time-limit", "1e300"]).exit_code == 0


@POSIX
def test_an_interrupt_ends_grounding(tmp_path: Path) -> None:
    path = tmp_path / "task.las"
    path.write_text(GROWING + SIMPLE)
    command = [sys.executable, "-c", "from grl.cli import main; main()", "las", str(path)]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    time.sleep(1.5)
    process.send_signal(signal.SIGINT)
    out, error = process.communicate(timeout=20)
    assert process.returncode in (1, 130)
    assert "Traceback" not in error
    assert all(line.startswith("%") for line in out.splitlines())


def test_python_solves_without_a_child() -> None:
    heard = []
    task = parse(SIMPLE, limits=Limits())
    outcome = solve(task, time_limit=float("inf"), better=heard.append)
    assert outcome.proven
    assert [one.proven for one in heard] == [False] * len(heard)
    assert heard[-1].cost == outcome.cost
