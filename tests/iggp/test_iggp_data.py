"""The files of the data set: what is read, and where a broken one is broken."""

import pytest

from grl.errors import IggpError
from grl.iggp import Atom, parse_task, read_task

GOOD = """atoms:
\tp()
\tq(1, b)

---

statics:
\tsucc(1, 2)

---

background:
\ttrue_x(f(1, "a b"))

---

positives:
\tp()

---

background:

---

positives:

---
"""


def test_a_file_is_candidates_statics_and_states():
    task = parse_task(GOOD)

    assert task.atoms == (Atom("p"), Atom("q", ("1", "b")))
    assert task.statics == (Atom("succ", ("1", "2")),)
    assert [state.background for state in task.states] == [
        (Atom("true_x", ('f(1,"a b")',)),),
        (),
    ]
    assert [set(state.positives) for state in task.states] == [{Atom("p")}, set()]


def test_nullary_atoms_are_written_without_parentheses_in_asp():
    assert str(Atom("terminal")) == "terminal"
    assert str(Atom("cell", ("1", "b"))) == "cell(1,b)"


def test_a_positive_that_is_no_candidate_becomes_one():
    task = parse_task(GOOD.replace("positives:\n\tp()", "positives:\n\tr(7)"))

    assert Atom("r", ("7",)) in task.atoms


@pytest.mark.parametrize(
    ("old", "new", "line", "said"),
    [
        ("statics:", "static:", 7, "unknown section"),
        ("q(1, b)", "q(1, b", 3, "not an atom"),
        ("q(1, b)", "q(1, B)", 3, "not a list of constants"),
        ("q(1, b)", "q(1,, b)", 3, "not a list of constants"),
        ("succ(1, 2)", "Succ(1, 2)", 8, "not an atom"),
        ("positives:\n\tp()", "background:", 17, "a state without positives"),
        ("background:\n\ttrue_x", "statics:\n\ttrue_x", 17, "positives without a state"),
        ("atoms:\n\tp()", "p()", 1, "outside of every section"),
    ],
)
def test_a_broken_file_is_refused_with_its_line(old, new, line, said):
    with pytest.raises(IggpError, match=said) as refused:
        parse_task(GOOD.replace(old, new))

    assert refused.value.place.line == line


def test_a_file_that_ends_inside_a_state_is_refused():
    with pytest.raises(IggpError, match="the last state has no positives"):
        parse_task(GOOD + "\nbackground:\n")


@pytest.mark.parametrize("text", ["", "statics:\n\tp\n", "atoms:\n\tp\n"])
def test_a_file_without_candidates_or_states_is_refused(text):
    with pytest.raises(IggpError, match=r"no candidate atoms|no states"):
        parse_task(text)


def test_bytes_that_are_no_text_are_refused_with_file_and_line(tmp_path):
    path = tmp_path / "bad.dat"
    path.write_bytes(b"atoms:\n\tp\xff\n")

    with pytest.raises(IggpError, match="not a text in UTF-8") as refused:
        read_task(path)

    assert str(refused.value).startswith(f"{path}:2")


@pytest.mark.parametrize("number", ["2147483648", "-99999999999", "9" * 5000])
def test_a_number_that_clingo_does_not_have_is_refused(number):
    text = f"atoms:\n\tp(1)\n---\nbackground:\n\tq({number})\n---\npositives:\n\tp(1)\n"
    with pytest.raises(IggpError, match="line 5: the number is too large") as caught:
        parse_task(text)
    assert len(str(caught.value)) < 200
