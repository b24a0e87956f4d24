"""Small games learned exactly: on states that the learner has not seen, clingo finds no error."""

import gc
import random
import re
import signal
import threading
import time
from functools import cache
from pathlib import Path

import pytest
from small_games import (
    GOAL,
    LEGAL,
    a_step_or_a_pass,
    board,
    counter,
    empty_ahead,
    joined_sides,
    no_empty_square,
    three_in_a_row,
    winner,
)

from grl.iggp import LearnedProgram, check, learn_program, parse_task, read_task, score

DATA = Path(__file__).resolve().parents[3] / "shared" / "data" / "iggp"

PASS = ["pass(red)", "pass(green)"]
GAMES = {
    "counter": counter,
    "three in a row": lambda n, s: board(n, s, ["terminal()"], three_in_a_row),
    "a full board": lambda n, s: board(n, s, ["terminal()"], no_empty_square),
    "an empty square ahead": lambda n, s: board(n, s, LEGAL, empty_ahead),
    "a step or a pass": lambda n, s: board(n, s, [*LEGAL, *PASS], a_step_or_a_pass),
    "sides that are joined": lambda n, s: board(3 * n, s, ["terminal()"], joined_sides),
    "who holds the corner": lambda n, s: board(n, s, GOAL, winner),
}


@pytest.mark.parametrize("name", GAMES)
def test_a_game_is_learned_exactly(name):
    task, unseen = (parse_task(GAMES[name](number, seed)) for number, seed in ((100, 1), (100, 2)))

    learned = learn_program(task, seconds=40.0)

    assert learned.errors == 0
    assert score(learned.text, task).perfect
    assert score(learned.text, unseen).perfect
    assert check(learned, task, seconds=20.0)[1] == 0


@pytest.mark.parametrize("name", ["counter", "an empty square ahead"])
def test_the_same_input_gives_the_same_bytes(name):
    task = parse_task(GAMES[name](100, 3))

    programs = {learn_program(task, seconds=40.0, seed=5).text for _ in range(2)}

    assert len(programs) == 1


def test_little_time_suffices_for_more_than_a_guess():
    task, learned, kept, _ = in_little_time()

    accuracies = [score(each.text, task).balanced_accuracy for each in (learned, kept[-1])]
    assert min(accuracies) > 0.8
    said = re.search("% not proven: balanced accuracy ([0-9.]+)", learned.text)
    assert float(said.group(1)) == pytest.approx(accuracies[0], abs=5e-5)


def test_a_target_that_is_never_true_is_defined_by_no_rule():
    text = counter(20, 1).replace("atoms:\n", "atoms:\n\tnever(1)\n")
    learned = learn_program(parse_task(text), seconds=20.0)

    assert "never(1)" not in learned.text
    assert "#defined never/1." in learned.text


def test_an_invented_successor_is_written_out_as_facts():
    text = counter(200, 1)
    text = "".join(line for line in text.splitlines(keepends=True) if "succ(" not in line)

    learned = learn_program(parse_task(text), seconds=20.0)

    assert learned.errors == 0
    assert "aux_succ(0,1)." in learned.text


def noise(number: int) -> str:
    """A rule for the ranks below the last and chance there, so that a search goes on and on."""
    generator = random.Random(9)

    def labels(cells: dict[tuple[int, int], str], mover: str) -> list[str]:
        chance = [atom for atom in LEGAL if atom.endswith("3)") and generator.random() < 0.5]
        return [*empty_ahead(cells, mover), *chance]

    return board(number, 4, LEGAL, labels)


@cache
def in_little_time():
    """Noise, what is learned of it, what was kept on the way, and how long it all took."""
    task, kept = parse_task(noise(60)), []
    began = time.monotonic()
    learned = learn_program(task, seconds=3.0, kept=kept.append)
    return task, learned, kept, time.monotonic() - began


def test_the_time_limit_ends_a_search_that_would_go_on():
    task, learned, _, took = in_little_time()

    assert took < 10.0
    assert not learned.interrupted
    assert learned.errors > 0
    assert score(learned.text, task).balanced_accuracy > 0.8
    assert check(learned, task, seconds=20.0)[1] == 0


def test_an_interrupted_search_leaves_the_best_so_far():
    chance = random.Random(2)
    text = counter(100, 1).replace(
        "atoms:\n", "atoms:\n" + "".join(f"\tluck({i})\n" for i in range(9))
    )
    lucky = re.sub(
        "positives:\n", lambda match: match.group() + f"\tluck({chance.randrange(9)})\n", text
    )

    def interrupt(program: LearnedProgram) -> None:
        if "next_value(A) :-" in program.text:
            raise KeyboardInterrupt

    task = parse_task(lucky)
    learned = learn_program(task, seconds=40.0, kept=interrupt)

    assert learned.interrupted
    assert "next_value(A) :-" in learned.text
    assert learned.errors == len(task.states)
    assert check(learned, task, seconds=20.0)[1] == 0


@pytest.fixture
def without_collections():
    """No garbage is collected: what is raised while others look on at that, as hypothesis does, is
    lost."""
    gc.disable()
    yield
    gc.enable()


@pytest.mark.usefixtures("without_collections")
def test_a_search_interrupted_anywhere_says_what_its_program_says():
    task = parse_task(noise(60))
    timer = threading.Timer(1.5, signal.raise_signal, [signal.SIGINT])
    timer.start()

    learned = learn_program(task, seconds=60.0)
    timer.cancel()

    assert learned.interrupted
    assert check(learned, task, seconds=20.0)[1] == 0


@pytest.mark.skipif(not DATA.is_dir(), reason=f"the data set is not at {DATA}")
@pytest.mark.parametrize("name", ["minimal_decay_next", "scissors_paper_stone_terminal"])
def test_tasks_of_the_data_set_are_learned_exactly(name):
    learned = learn_program(read_task(DATA / f"{name}_train.dat"), seconds=40.0)

    assert score(learned.text, read_task(DATA / f"{name}_validate.dat")).perfect
