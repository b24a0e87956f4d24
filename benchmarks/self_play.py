"""Rules learned from the games of players who search, who have habits: habits are no rules.

For each game, strength and kind of record: let a player play itself, learn, and compare with the
reference as `whole_games` does; with more games as long as anything differs. Strength is the nodes
that alpha-beta, without an evaluation, has for a turn; each game begins with a few random turns.

    python benchmarks/self_play.py --games checkers --nodes 20,200 --mode all
"""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import islice
from pathlib import Path

from whole_games import MAX_PLIES, NEAR_ENDINGS, Trial, knows, perft, select, trial_of

import grl
from grl.compare import compare_game
from grl.games import load
from grl.generate import generate
from grl.players.recorded import chooser
from grl.players.seats import seat
from grl.traces import header_dict, write_traces

GAMES = "connect-four,breakthrough,checkers"
NODES = "20,200,1000"
RUNGS = {True: (50, 100), False: (50, 200)}
"""Numbers of games, by whether all legal turns are known."""
OPENING = 4
LONGEST = 200
"""Plies after which a game breaks off: players who see no end don't come to one."""
COLUMNS = (
    f"{'game':<30} {'mode':<6} {'nodes':>6} {'games':>6} {'plies':>7} {'positions':>9} "
    f"{'missing':>8} {'surplus':>8} {'elsewhere':>9} {'terminal':>8} {'goals':>6} {'perft':>6} "
    f"{'learned in':>10}"
)


def trials(spec: str, all_moves: bool, nodes: int, positions: int) -> Iterator[tuple[int, Trial]]:
    """What was learned from ever more games, with the plies of these, until it is exact."""
    game = load(spec)
    rungs = RUNGS[all_moves]
    plays = generate(
        game,
        rungs[-1],
        all_moves=all_moves,
        seed=1,
        players=chooser([seat(f"alphabeta:nodes={nodes}")]),
        max_plies=MAX_PLIES.get(spec, LONGEST),
        endgames=NEAR_ENDINGS if game.endgames() else 0.0,
        opening=OPENING,
    )
    plies = done = 0
    with tempfile.TemporaryDirectory() as folder:
        paths: list[Path] = []
        for n in rungs:
            more = list(islice(plays, n - done))
            plies, done = plies + sum(len(play["turns"]) for play in more), n
            paths.append(Path(folder) / f"{n}.jsonl")
            write_traces(paths[-1], header_dict(game), more)
            began = time.process_time()
            rulebook = grl.learn(paths)
            taken = time.process_time() - began
            result = compare_game(rulebook, game, positions)
            agreed, wrong = perft(rulebook, game, spec)
            exact = result.same and knows(rulebook) and wrong is None
            lesson = Trial(spec, all_moves, 1, games=n, seconds=taken)
            needed = n if exact else None
            found = trial_of(lesson, result)
            yield plies, replace(found, needed=needed, perft=agreed, perft_wrong=wrong)
            if exact:
                return


def row(plies: int, nodes: int, found: Trial) -> str:
    """A line of the table."""
    perft = f"{found.perft}" if found.perft_wrong is None else f"not {found.perft_wrong}"
    silent = "-"
    wrong = [silent if n is None else f"{n:,}" for n in (found.wrong_terminal, found.wrong_goals)]
    return (
        f"{found.spec:<30} {'all' if found.all_moves else 'single':<6} {nodes:>6,} "
        f"{found.games:>6} {plies:>7,} {found.positions:>9,} {found.missing:>8,} "
        f"{found.surplus:>8,} {found.elsewhere:>9,} {wrong[0]:>8} {wrong[1]:>6} {perft:>6} "
        f"{found.seconds:>8.1f} s" + ("  exact" if found.needed else "")
    )


def main(arguments: Sequence[str]) -> int:
    """The table; a line for each number of games."""
    parser = argparse.ArgumentParser(prog="self_play.py", description=__doc__.partition("\n")[0])
    parser.add_argument("--games", default=GAMES, help="some of them, with commas between")
    parser.add_argument("--nodes", default=NODES, help="strengths, with commas between")
    parser.add_argument("--positions", type=int, default=1000)
    parser.add_argument("--mode", choices=("all", "single", "both"), default="both")
    chosen = parser.parse_args(arguments)
    modes = {"all": (True,), "single": (False,), "both": (True, False)}[chosen.mode]
    print(COLUMNS, flush=True)
    for all_moves in modes:
        for spec in select(chosen.games):
            for nodes in map(int, chosen.nodes.split(",")):
                for plies, found in trials(spec, all_moves, nodes, chosen.positions):
                    print(row(plies, nodes, found), flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
