"""Games that libraries play at random and write themselves, for the importers to read back."""

from __future__ import annotations

import struct
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Any

from grl.importers.formats import NOTATIONS, Wishes
from grl.importers.records import FileImports
from grl.progress import silent
from grl.traces import Traces, write_traces

Plays = list[dict[str, Any]]


def imported(
    form: str, path: Path | None, *, keep_beginnings: bool = False, **wished: Any
) -> tuple[Plays, FileImports]:
    """The plays of a file and who read them; the turns, legal ones too, replay as traces."""
    files = [] if path is None else [path]
    common = {"keep_beginnings": keep_beginnings, "strict": False, "progress": silent}
    source = NOTATIONS[form].make(files, Wishes(**wished), common)
    plays = list(source.imports)
    with TemporaryDirectory() as folder:
        target = Path(folder) / "plays.jsonl"
        write_traces(target, source.header(), plays)
        assert sum(len(play.plies) for play in Traces.open(target)) == source.imports.plies
    return plays, source.imports


def turns_of(play: dict[str, Any]) -> list[str]:
    return [turn["turn"] for turn in play["turns"]]


def pgn(variant: str, number: int, seed: int = 1, most: int = 60) -> str:
    """Games of a variant as the package chess writes them."""
    import chess.pgn
    from chess.variant import find_variant

    chance = Random(seed)
    text = ""
    for _ in range(number):
        board = find_variant(variant)()
        while len(board.move_stack) < most and not board.is_variant_end():
            moves = list(board.legal_moves)
            if not moves:
                break
            board.push(chance.choice(moves))
        text += f"{chess.pgn.Game.from_board(board)}\n\n"
    return text


def kifu(number: int, seed: int = 1, most: int = 100) -> list[list[int]]:
    """Games of the package cshogi, its moves as numbers."""
    import cshogi

    chance = Random(seed)
    games = []
    for _ in range(number):
        board, moves = cshogi.Board(), []
        while len(moves) < most and (legal := list(board.legal_moves)):
            moves.append(chance.choice(legal))
            board.push(moves[-1])
        games.append(moves)
    return games


def usi(games: list[list[int]]) -> str:
    from cshogi import move_to_usi

    return "".join(
        f"position startpos moves {' '.join(map(move_to_usi, moves))}\n" for moves in games
    )


def csa(games: list[list[int]]) -> str:
    from cshogi import move_to_csa

    texts = []
    for moves in games:
        lines = [f"{'+-'[i % 2]}{move_to_csa(move)},T3" for i, move in enumerate(moves)]
        texts.append("\n".join(["V2.2", "N+one", "'a comment", "PI", "+", *lines, "%TORYO", ""]))
    return "/\n".join(texts)


def kif(games: list[list[int]]) -> str:
    from cshogi.KIF import move_to_kif

    text = ""
    for moves in games:
        text += "手合割：平手\n先手：one\n後手：other\n手数----指手---------消費時間--\n"
        for i, move in enumerate(moves):
            before = moves[i - 1] if i else None
            text += f"{i + 1:>4} {move_to_kif(move, before)}   ( 0:01/00:00:0{i % 10})\n*comment\n"
        text += f"{len(moves) + 1:>4} 投了\nまで{len(moves)}手で先手の勝ち\n"
    return text


def stones(number: int, size: int = 9, most: int = 90, seed: int = 1) -> bytes:
    """Random games of stones as sgfmill writes them, every other one with a handicap; no stone
    is placed where it can't breathe, and no board occurs again."""
    from sgfmill import boards, sgf

    chance = Random(seed)
    data = b""
    for index in range(number):
        game, board, colour = sgf.Sgf_game(size), boards.Board(size), "b"
        game.root.set("KM", 6.5)
        if index % 2:
            handicap = [(1, 1), (size - 2, size - 2)]
            board.apply_setup(handicap, [], [])
            game.root.set_setup_stones(handicap, [])
            game.root.set("HA", 2)
            colour = "w"
        met = {str(board.board)}
        while met and most > len(game.get_main_sequence()) - 1:
            move, empty = None, [p for p in _points(size) if board.get(*p) is None]
            chance.shuffle(empty)
            for row, column in empty:
                after = board.copy()
                after.play(row, column, colour)
                if after.get(row, column) is not None and str(after.board) not in met:
                    move, board = (row, column), after
                    break
            met.add(str(board.board))
            game.extend_main_sequence().set_move(colour, move)
            if move is None:
                break
            colour = "bw"[colour == "b"]
        data += game.serialise()
    return data


def _points(size: int) -> list[tuple[int, int]]:
    return [(row, column) for row in range(size) for column in range(size)]


def discs(number: int, seed: int = 1) -> list[list[str]]:
    """Random games of OpenSpiel, moves as squares; passes are left out."""
    import pyspiel

    chance, games = Random(seed), []
    for _ in range(number):
        state, moves = pyspiel.load_game("othello").new_initial_state(), []
        while not state.is_terminal():
            action = chance.choice(state.legal_actions())
            moves.append(state.action_to_string(action))
            state.apply_action(action)
        games.append([move for move in moves if move != "pass"])
    return games


def wthor(games: list[list[str]]) -> bytes:
    """A file of the format, written from its public description, field by field."""
    head = bytes([20, 24, 11, 3]) + struct.pack("<i", len(games)) + struct.pack("<hh", 0, 2024)
    data = head + bytes([8, 0, 0, 0])
    for moves in games:
        data += struct.pack("<hhh", 1, 2, 3) + bytes([32, 32])
        cells = [10 * int(move[1]) + "abcdefgh".index(move[0]) + 1 for move in moves]
        data += bytes(cells + [0] * (60 - len(cells)))
    return data
