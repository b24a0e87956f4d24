"""Runs in bitbully's environment: solves boards, without its book of openings, and prints times.

Reads a line of JSON from standard input, by set the moves of each position (files from 0), and
prints a line, by set ``{"seconds": …, "scores": […]}``.
"""

import json
import sys
import time

from bitbully import BitBully, Board


def main() -> None:
    answer = {}
    for name, positions in json.loads(sys.stdin.readline()).items():
        solver = BitBully(opening_book=None)
        seconds, scores = 0.0, []
        for moves in positions:
            board = Board(moves)
            began = time.perf_counter()
            scores.append(solver.mtdf(board))
            seconds += time.perf_counter() - began
        answer[name] = {"seconds": seconds, "scores": scores}
    print(json.dumps(answer))


main()
