"""Proofs that two descriptions agree: found, refuted by a state that runs apart, and refused."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from grl.cli import main
from grl.commands.proving import _fluents
from grl.proving import Claim, Counterexample, Program, Proof, ProofError, parse, prove, relations

COUNTER = """
#const top = 3.
role(up). role(down).
base(at(0..top)). base(turn(P)) :- role(P).
init(at(0)). init(turn(up)).
other(up,down). other(down,up).
legal(P,stay) :- true(turn(P)), not terminal.
legal(up,step) :- true(turn(up)), true(at(N)), N < top, not terminal.
next(at(N)) :- true(at(N)), not does(up,step).
next(at(N+1)) :- true(at(N)), does(up,step).
next(turn(Q)) :- true(turn(P)), other(P,Q).
terminal :- true(at(top)).
goal(up,100) :- terminal.
goal(down,0) :- terminal.
"""
INVARIANTS = """
:- { true(at(_)) } != 1.
:- { true(turn(_)) } != 1.
"""
STATES = parse(INVARIANTS, invariants=True)


def outcome(learned: str, reference: str = COUNTER, invariants: Program = STATES) -> Proof:
    return prove(parse(learned), parse(reference), invariants)


def refuted(proof: Proof, name: str) -> Counterexample:
    (claim,) = [one for one in proof.claims if one.name == name]
    assert claim.holds is False
    assert claim.counterexample is not None
    return claim.counterexample


def changed(old: str, new: str) -> str:
    assert old in COUNTER
    return COUNTER.replace(old, new)


def test_a_description_is_the_same_as_itself_in_other_words() -> None:
    other = changed(
        "next(at(N+1)) :- true(at(N)), does(up,step).",
        """higher(M) :- true(at(N)), M = N+1.
        next(at(M)) :- higher(M), does(up,step).""",
    ).replace("not terminal", "true(at(M)), M != top")
    proof = outcome(other)
    assert proof.proven
    assert {one.name for one in proof.claims} >= {"terminal/0", "legal/2", "goal/2", "next/1"}


@pytest.mark.parametrize(
    ("old", "new", "name"),
    [
        ("N < top, not terminal", "N < top-1, not terminal", "legal/2"),
        ("terminal :- true(at(top)).", "terminal :- true(at(top)), true(turn(up)).", "terminal/0"),
        ("goal(down,0) :- terminal.", "goal(down,0) :- terminal, true(turn(up)).", "goal/2"),
        ("next(at(N+1)) :- true(at(N)), does", "next(at(N+1)) :- true(at(N)), N<2, does", "next/1"),
        ("init(at(0)).", "init(at(1)).", "init/1"),
        ("role(down).", "", "role/1"),
    ],
)
def test_a_difference_is_a_state_on_which_the_programs_run_apart(
    old: str, new: str, name: str
) -> None:
    learned = changed(old, new)
    found = refuted(outcome(learned), name)
    assert found.missing or found.surplus
    relation = name.partition("/")[0]
    if relation in ("init", "role"):
        return
    mine = relations(parse(learned), found.true, found.does)[relation]
    reference = relations(parse(COUNTER), found.true, found.does)[relation]
    assert set(found.missing) == reference - mine
    assert set(found.surplus) == mine - reference


def test_goals_matter_in_terminal_states_only() -> None:
    assert outcome(changed("goal(down,0) :- terminal.", "goal(down,0) :- role(down).")).proven


def test_an_invariant_that_the_first_state_breaks_is_named() -> None:
    invariants = parse(INVARIANTS + ":- true(at(0)).", invariants=True)
    proof = outcome(COUNTER, invariants=invariants)
    assert not proof.proven
    found = refuted(proof, "the invariants hold initially")
    assert found.broken == (4,)


def test_an_invariant_that_a_move_breaks_is_no_invariant() -> None:
    invariants = parse(INVARIANTS + ":- true(at(2)).", invariants=True)
    proof = outcome(COUNTER, invariants=invariants)
    found = refuted(proof, "every legal move keeps the invariants")
    assert found.broken == (4,)
    assert set(found.true) == {"at(1)", "turn(up)"}
    assert found.does == ("does(up,step)",)
    assert len(proof.claims) == 2


def test_a_move_may_lead_out_of_the_fluents() -> None:
    reference = changed("N < top, not terminal", "not terminal").replace(
        "terminal :- true(at(top)).", "terminal :- true(at(top)), true(turn(down))."
    )
    found = refuted(outcome(reference, reference), "every legal move keeps the invariants")
    assert found.broken == (0,)


def test_a_helper_of_another_meaning_is_no_difference() -> None:
    reference = COUNTER + "high(N) :- true(at(N)), N > 1."
    learned = COUNTER + "high(N) :- true(at(N)), N > 0."
    proof = outcome(learned, reference)
    assert proof.proven
    (helper,) = [one for one in proof.claims if one.helper]
    assert (helper.name, helper.holds) == ("high/1", False)


def test_a_rule_that_chooses_the_move_is_left_out() -> None:
    chosen = COUNTER + "1 { does(P,M) : legal(P,M) } 1. :~ does(P,M). [1@1,P,M] #show next/1."
    assert outcome(chosen).proven


@pytest.mark.parametrize(
    "text",
    [
        "next(a) :- not next(b). next(b) :- not next(a).",
        "{ next(a) }.",
        "next(a) ; next(b).",
        ":- true(a).",
        "true(a).",
        "-next(a).",
        "next(a) :- 2 { next(X) : role(X) }.",
        '#include "other.lp".',
        "next(a",
    ],
)
def test_programs_without_exactly_one_answer_set_are_refused(text: str) -> None:
    with pytest.raises(ProofError):
        parse(text)


def test_constants_that_disagree_have_to_be_chosen() -> None:
    with pytest.raises(ProofError, match="top"):
        outcome(changed("top = 3", "top = 4"))
    both = parse(changed("top = 3", "top = 4")), parse(COUNTER)
    assert prove(*both, STATES, constants={"top": "2"}).proven


def test_an_invariant_speaks_of_states_alone() -> None:
    with pytest.raises(ProofError, match="terminal/0"):
        outcome(COUNTER, invariants=parse(":- terminal.", invariants=True))


def test_time_that_runs_out_decides_nothing() -> None:
    proof = prove(parse(COUNTER), parse(COUNTER), STATES, time_limit=0)
    assert not proof.proven
    assert [one.holds for one in proof.claims] == [None]


def test_claims_are_plain_data() -> None:
    proof = Proof((Claim("next/1", False, 0.5, Counterexample(("a",))),))
    assert json.loads(json.dumps(proof.to_dict()))["claims"][0]["counterexample"]["true"] == ["a"]


def command(tmp_path: Path, learned: str, *more: str, mapping: str = "") -> tuple[int, str]:
    files = {"learned": learned, "reference": COUNTER, "invariants": INVARIANTS, "map": mapping}
    paths = {name: tmp_path / f"{name}.lp" for name in files}
    for name, text in files.items():
        paths[name].write_text(text)
    args = ["compare", str(paths["learned"]), "--prove", str(paths["reference"])]
    args += ["--invariants", str(paths["invariants"]), *more]
    args += ["--mapping", str(paths["map"])] if mapping else []
    result = CliRunner().invoke(main, args)
    return result.exit_code, result.output


def test_the_command_says_what_was_proven_and_what_refuted(tmp_path: Path) -> None:
    status, said = command(tmp_path, COUNTER, "-c", "top=5")
    assert status == 0
    assert "proven: no difference" in said
    status, said = command(tmp_path, changed("N < top, not", "N < top-1, not"), "-c", "top=5")
    assert status == 1
    assert "at(4)" in said
    assert "legal(up,step)" in said
    assert said.splitlines()[-1] == "refuted"


def test_a_mapping_puts_a_description_in_other_words(tmp_path: Path) -> None:
    learned = COUNTER.replace("up", "first").replace("down", "second").replace("at(", "level(")
    mapping = """
    name(first,up). name(second,down).
    role(P) :- own_role(Q), name(Q,P).
    init(at(N)) :- own_init(level(N)). init(turn(P)) :- own_init(turn(Q)), name(Q,P).
    own_true(level(N)) :- true(at(N)). own_true(turn(Q)) :- true(turn(P)), name(Q,P).
    own_does(Q,M) :- does(P,M), name(Q,P).
    legal(P,M) :- own_legal(Q,M), name(Q,P).
    next(at(N)) :- own_next(level(N)). next(turn(P)) :- own_next(turn(Q)), name(Q,P).
    terminal :- own_terminal. goal(P,N) :- own_goal(Q,N), name(Q,P).
    """
    assert command(tmp_path, learned, mapping=mapping)[0] == 0
    assert command(tmp_path, learned)[0] == 1
    wrong = learned.replace("N < top, not", "N < top-1, not")
    assert command(tmp_path, wrong, mapping=mapping)[0] == 1


def test_bad_input_has_its_own_status(tmp_path: Path) -> None:
    assert command(tmp_path, "{ next(a) }.")[0] == 2
    assert command(tmp_path, COUNTER, "-c", "top")[0] == 2
    assert command(tmp_path, COUNTER, "--game", "nothing")[0] == 2


def test_a_proof_that_was_cut_off_proves_nothing(tmp_path: Path) -> None:
    heard: list[Proof] = []
    prove(parse(COUNTER), parse(COUNTER), STATES, kept=heard.append)
    assert heard
    assert not any(one.proven for one in heard)
    assert all(one.claims[-1].holds is None for one in heard)

    files = [tmp_path / name for name in ("a.lp", "b.lp", "i.lp")]
    for file, text in zip(files, (COUNTER, COUNTER + "n(1..3000). m(X,Y,Z) :- n(X), n(Y), n(Z), "
                                  "true(at(X)).", INVARIANTS), strict=True):  # fmt: skip
        file.write_text(text)
    command = ["compare", str(files[1]), "--prove", str(files[0]), "--invariants", str(files[2])]
    result = CliRunner().invoke(main, [*command, "--memory-limit", "1"])
    assert result.exit_code == 1
    assert "not decided within the limits" in result.stdout


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ('#include "other.lp".', "#include reaches outside"),
        ("#script (python) #end.", "#script reaches outside"),
        ("p(99999999999).", "the number is too large"),
        (f"p({'f(' * 100_000}a{')' * 100_000}).", "the nesting is too deep"),
    ],
)
def test_what_clingo_is_not_to_see_is_refused(text: str, said: str) -> None:
    with pytest.raises(ProofError, match=said):
        parse(COUNTER + text)


@pytest.mark.parametrize("value", ["f(", "99999999999", "f(" * 5000 + "a" + ")" * 5000, "a b"])
def test_a_constant_that_is_no_term_is_refused(tmp_path: Path, value: str) -> None:
    files = [tmp_path / name for name in ("a.lp", "i.lp")]
    for file, text in zip(files, (COUNTER, INVARIANTS), strict=True):
        file.write_text(text)
    command = ["compare", str(files[0]), "--prove", str(files[0]), "--invariants", str(files[1])]
    result = CliRunner().invoke(main, [*command, "-c", f"top={value}"])
    assert (result.exit_code, result.stdout) == (2, "")
    assert "the constant top" in result.stderr
    assert result.stderr.count("\n") == 1


def test_fluents_that_are_numbers_are_printed_as_they_are() -> None:
    assert list(_fluents(("3", '"three"', "turn(up)", "cell(1,1,x)"))) == [
        "cell(X,Y,C), X from 1 to 1, Y from 1 down to 1:",
        "  x",
        "3",
        '"three"',
        "turn(up)",
    ]
