"""Games that people play, old ones and published ones: which of them are learned exactly.

Their rules are in `classical`, five lists, written down before the learner had met them. Of each
game 200 random games are recorded with all legal turns, a quarter of them begun shortly before an
end, and the model is held to the game as `exactness` does it.

    make bench PART=classical
    make bench PART="classical --further"
    make bench PART="classical --third"
    make bench PART="classical --fourth"
    make bench PART="classical --fifth"
    make bench PART="classical --games konane,oware"
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from functools import partial
from pathlib import Path

from exactness import Trial, run_all

from grl.games import load

FOLDER = Path(__file__).resolve().parent / "classical"
RECORDED, POSITIONS, LIMIT, MEMORY, MOST = 200, 1000, 400.0, 4096, 100
NEAR_ENDINGS = 0.25

GAMES: Sequence[str] = (
    "alquerque",
    "atari_go",
    "bagh_chal",
    "bridg_it",
    "dao",
    "dara",
    "dodgem",
    "domineering",
    "dou_shou_qi",
    "epaminondas",
    "fanorona",
    "four_field_kono",
    "hare_and_hounds",
    "hasami_shogi",
    "konane",
    "los_alamos_chess",
    "mu_torere",
    "neutron",
    "order_and_chaos",
    "oware",
    "pah_tum",
    "pente",
    "pong_hau_ki",
    "seega",
    "surakarta",
    "tablut",
    "tapatan",
    "turkish_draughts",
    "yavalath",
    "yote",
)
"""The list, fixed before any was learned. In each a position is all that the rules ask for."""
FURTHER: Sequence[str] = (
    "adugo",
    "ataxx",
    "camette",
    "cannon",
    "congo",
    "connect6",
    "dameo",
    "fox_and_geese",
    "gonnect",
    "havannah",
    "isola",
    "jeson_mor",
    "kings_valley",
    "lau_kata_kati",
    "ludus_latrunculorum",
    "martian_chess",
    "pallanguzhi",
    "pentago",
    "phutball",
    "picaria",
    "quixo",
    "six_mens_morris",
    "tanbo",
    "three_musketeers",
)
"""A later list, by others who had not seen the learner; fixed before any was learned."""
THIRD: Sequence[str] = (
    "chomp",
    "dobutsu_shogi",
    "halma",
    "lines_of_action",
    "mak_yek",
    "makhos",
    "makruk_mini",
    "ming_mang",
    "nim",
    "reversi_anti",
    "russian_draughts",
    "shatranj_mini",
    "squava",
    "susan",
    "teeko_standard",
    "twelve_mens_morris",
)
"""A third list, by two more who had not seen it; fixed before any was learned."""
FOURTH: Sequence[str] = (
    "agon",
    "atomic_minichess",
    "cam",
    "frisian_draughts",
    "l_game",
    "mangala",
    "minishogi",
    "nogo",
    "oust",
    "popout",
    "racing_kings_mini",
    "santorini",
    "shisima",
    "shobu",
    "slimetrail",
    "snort",
)
"""A fourth list, by two more again who had not seen it; fixed before any was learned."""
FIFTH: Sequence[str] = (
    "antichess_mini",
    "ard_ri",
    "breakthru",
    "dablot_prejjesne",
    "dots_and_boxes",
    "glinski_mini",
    "hanoi",
    "italian_draughts",
    "janggi_mini",
    "knights_tour",
    "len_choa",
    "sokoban",
    "toguz_kumalak",
    "tumbleweed_mini",
    "wild_tic_tac_toe",
    "y_game",
)
"""A fifth list, by two more again, puzzles among it; fixed before any was learned."""


def trial(
    name: str,
    games: int = RECORDED,
    positions: int = POSITIONS,
    limit: float = LIMIT,
    memory: int = MEMORY,
) -> Trial:
    """The game of a name, to be learned."""
    make = partial(load, str(FOLDER / f"{name}.py"))
    return Trial(name, make, 1, games, positions, limit, memory, MOST, near=NEAR_ENDINGS)


def main(arguments: Sequence[str]) -> int:
    """Print a line for each game and a total."""
    about = __doc__.partition("\n")[0]
    parser = argparse.ArgumentParser(prog="classical_games.py", description=about)
    parser.add_argument("--games", default="", help="some games, with ',' between")
    parser.add_argument("--further", action="store_true", help="the games of the later list")
    parser.add_argument("--third", action="store_true", help="the games of the third list")
    parser.add_argument("--fourth", action="store_true", help="the games of the fourth list")
    parser.add_argument("--fifth", action="store_true", help="the games of the fifth list")
    parser.add_argument("--number", type=int, default=RECORDED, help="games to learn from")
    parser.add_argument("--positions", type=int, default=POSITIONS, help="positions compared")
    parser.add_argument(
        "--limit", type=float, default=LIMIT, help="seconds for learning a game, and for comparing"
    )
    parser.add_argument("--memory", type=int, default=MEMORY, help="MB for one game")
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--out", type=Path, help="a file to add the outcomes to, as JSON lines")
    parser.add_argument("--resume", action="store_true", help="leave out the games in that file")
    asked = parser.parse_args(arguments)
    lists = (
        (FIFTH, asked.fifth),
        (FOURTH, asked.fourth),
        (THIRD, asked.third),
        (FURTHER, asked.further),
    )
    chosen = next((each for each, wanted in lists if wanted), GAMES)
    names = list(filter(None, asked.games.split(","))) or list(chosen)
    unknown = sorted(set(names) - {*GAMES, *FURTHER, *THIRD, *FOURTH, *FIFTH})
    if unknown:
        parser.error(f"not on a list: {', '.join(unknown)}")
    limits = asked.number, asked.positions, asked.limit, asked.memory
    trials = [trial(name, *limits) for name in names]
    return run_all(trials, asked.jobs, asked.out, resume=asked.resume, what="classical games")


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
