"""Runs in bitbully's environment: solves boards, without its book of openings, and prints times.

Reads a line of JSON from standard input, by set the moves of each position (files from 0), and
prints a line, by set ``{"seconds": …, "scores": […]}``. Of its searches `nullWindow` is the fastest
on these sets; by `mtdf` and `negamax` positions early in a game take ten times as long.
"""

import json
import sys
import time

from bitbully import bitbully_core


def main() -> None:
    answer = {}
    for name, positions in json.loads(sys.stdin.readline()).items():
        solver = bitbully_core.BitBullyCore()
        seconds, scores = 0.0, []
        for moves in positions:
            board = bitbully_core.BoardCore()
            if not board.setBoard(moves):
                sys.exit(f"no position: {moves}")
            began = time.perf_counter()
            scores.append(solver.nullWindow(board))
            seconds += time.perf_counter() - began
        answer[name] = {"seconds": seconds, "scores": scores}
    print(json.dumps(answer))


main()
