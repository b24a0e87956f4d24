"""What automata withstand: players, more games, shards, no symmetry, slips, little data."""

from __future__ import annotations

import json
import math
import tempfile
from functools import cache
from itertools import combinations, permutations
from pathlib import Path
from random import Random

import pytest
from languages import difference, graph_of, languages_of
from learned import record
from noisy import corrupt

import grl
from grl import games
from grl.generate import Players, generate
from grl.importers import FORMATS, Imports
from grl.model import Dfa
from grl.progress import silent
from grl.rulebook import Rulebook
from grl.sgrl.automaton import canonical, k_testable, merged
from grl.sgrl.collect import collect
from grl.sgrl.evidence import Evidence, game_number
from grl.sgrl.learn import cheapest, learn_automata
from grl.sgrl.minimality import prove_minimal
from grl.sgrl.pool import pools
from grl.shards import Shard, observe
from grl.traces import Traces, header_dict, write_traces

HUMAN_GAMES = Path(__file__).parents[3] / "shared" / "data" / "checkers" / "ACF.txt"
ENOUGH_PEOPLE = 300


def wrong(automata: list[Dfa], spec: str) -> list[str]:
    """The keys of a game whose automaton is missing, or is not its language."""
    board = games.load(spec).equipment.board
    found = {str(dfa.key): dfa for dfa in automata}
    return [
        key
        for key, language in languages_of(spec).items()
        if key not in found or difference(graph_of(found[key]), language.graph(), board)
    ]


def not_sure(rulebook: Rulebook) -> set[str]:
    return {item["key"] for item in rulebook.model.report["automata"] if not item["sure"]}


def wrong_in(rulebook: Rulebook, spec: str) -> list[str]:
    return wrong(list(rulebook.model.automata), spec)


@pytest.mark.parametrize("players", ["greedy", "search"])
@pytest.mark.parametrize(
    ("spec", "n"),
    [("checkers", 45), ("breakthrough:width=6,height=6", 12), ("checker-bt", 30)],
)
def test_whoever_plays_single_moves_show_the_languages(
    spec: str, n: int, players: Players, tmp_path: Path
) -> None:
    """Of random players more and more games are learned below."""
    game = games.load(spec)
    path = tmp_path / "games.jsonl"
    plays = generate(game, n, all_moves=False, seed=5, players=players, depth=1)
    write_traces(path, header_dict(game), plays)
    assert wrong_in(grl.learn(path, locm=False, rules=False), spec) == []


@pytest.mark.parametrize(
    ("spec", "all_moves", "n", "max_plies"),
    [
        ("chess-bt", True, 6, 120),
        ("checker-bt:capturing=1", False, 20, None),
        ("checkers:continuing=1", True, 30, None),
        ("five-field-kono", True, 3, 80),
        ("nine-mens-morris", True, 20, 150),
        ("nine-mens-morris:flying=1", True, 20, 150),
        ("asalto", True, 3, None),
        ("eight-puzzle", False, 10, 80),
        ("graph-game", True, 20, 30),
    ],
)
def test_the_other_reference_games_are_exact(
    spec: str, all_moves: bool, n: int, max_plies: int | None, tmp_path: Path
) -> None:
    game = games.load(spec)
    path = tmp_path / "games.jsonl"
    plays = generate(game, n, all_moves=all_moves, seed=1, max_plies=max_plies)
    write_traces(path, header_dict(game), plays)
    rulebook = grl.learn(path, locm=False, rules=False)
    assert wrong_in(rulebook, spec) == []
    assert {str(dfa.key) for dfa in rulebook.model.automata} == set(languages_of(spec))


@pytest.mark.parametrize(
    ("spec", "all_moves", "sizes"),
    [
        ("checkers", False, (10, 25, 60)),
        ("checkers", True, (2, 5, 10, 20)),
        ("breakthrough:width=6,height=6", False, (1, 2, 4, 8, 16)),
        ("checker-bt", False, (2, 5, 10, 20, 40)),
        ("amazons:width=6,height=6", False, (1, 3, 6)),
    ],
)
def test_more_games_never_make_a_right_automaton_wrong(
    spec: str, all_moves: bool, sizes: tuple[int, ...], tmp_path: Path
) -> None:
    path = record(spec, tmp_path / "games.jsonl", sizes[-1], all_moves=all_moves, seed=3)
    equipment = games.load(spec).equipment
    evidence, right = Evidence(), set[str]()
    for number, play in enumerate(Traces.open(path), 1):
        for ply in play.plies:
            evidence.observe(ply)
        if number in sizes:
            automata = [item.dfa for item in learn_automata(evidence, equipment)]
            now = set(languages_of(spec)) - set(wrong(automata, spec))
            assert right <= now, f"wrong from {number} games"
            right = now
    assert right == set(languages_of(spec))


# Shards.


def broken(path: Path, spec: str = "checkers") -> Path:
    """A file of games, the second and the fourth of which break."""
    record(spec, path, 6, all_moves=False)
    header, *lines = path.read_text().splitlines()
    for number, ply in ((1, 7), (3, 2)):
        play = json.loads(lines[number])
        play["turns"][ply]["turn"] = "a1 (0 1 n)"
        lines[number] = json.dumps(play)
    path.write_text("\n".join([header, *lines]) + "\n")
    return path


def test_the_number_of_processes_changes_nothing(tmp_path: Path) -> None:
    spec = "breakthrough:width=5,height=5"
    one = record(spec, tmp_path / "one.jsonl", 7, all_moves=False)
    two = broken(tmp_path / "two.jsonl", spec)
    models, errors = set(), []
    for jobs in (1, 3):
        sources = [Traces.open(path, skip_bad=True) for path in (one, two)]
        target = tmp_path / f"{jobs}.grl.json"
        grl.learn(sources, jobs=jobs).save(target)
        models.add(target.read_bytes())
        errors.append([[str(error) for error in traces.bad] for traces in sources])
    assert len(models) == 1
    assert errors[0] == errors[1]
    assert [len(bad) for bad in errors[0]] == [0, 2]


def test_the_first_error_is_raised_whatever_the_number_of_processes(tmp_path: Path) -> None:
    path = broken(tmp_path / "two.jsonl")
    messages = set()
    for jobs in (1, 2, 3):
        with pytest.raises(grl.GrlError) as caught:
            grl.learn(path, jobs=jobs)
        messages.add(str(caught.value))
    assert len(messages) == 1


@pytest.mark.parametrize("all_moves", [True, False])
def test_shards_merged_in_any_order_equal_the_whole(all_moves: bool, tmp_path: Path) -> None:
    path = record("breakthrough:width=4,height=5", tmp_path / "g.jsonl", 24, all_moves=all_moves)
    whole = observe([Traces.open(path)], 1, silent)
    plays = list(Traces.open(path))
    for seed in range(10):
        rng = Random(seed)
        parts = [Shard() for _ in range(rng.randint(1, 6))]
        for play in plays:
            part = rng.choice(parts)
            part.games += 1
            number = game_number(play)
            for ply in play.plies:
                part.evidence.observe(ply, number)
        rng.shuffle(parts)
        merged = Shard()
        for part in parts:
            merged.merge(part)
        assert merged.evidence == whole.evidence
        assert merged.games == whole.games


# Without symmetry.


def test_without_symmetry_no_image_is_used_and_what_is_wrong_is_not_called_sure(
    tmp_path: Path,
) -> None:
    path = record("checkers", tmp_path / "games.jsonl", 60)
    rulebook = grl.learn(path, symmetry=False, locm=False, rules=False)
    assert all(item["images"] == 0 for item in rulebook.model.report["automata"])
    missed = wrong_in(rulebook, "checkers")
    assert set(missed) <= not_sure(rulebook)
    assert "white m first" not in missed
    assert "black M first" not in missed
    few = record("checkers", tmp_path / "few.jsonl", 10)
    assert any(
        item["images"] for item in grl.learn(few, locm=False, rules=False).model.report["automata"]
    )


# Slips.


def test_few_slips_are_found_and_change_nothing(tmp_path: Path) -> None:
    path = record("checkers", tmp_path / "games.jsonl", 80, all_moves=False)
    slips = corrupt(path, tmp_path / "noisy.jsonl", "checkers", 0.002, 1)
    assert len(slips) > 5
    rulebook = grl.learn(
        tmp_path / "noisy.jsonl", noise=True, skip_bad=True, locm=False, rules=False
    )
    assert wrong_in(rulebook, "checkers") == []
    suspicious = rulebook.model.report["noise"]["suspicious"]
    assert suspicious
    for line in suspicious:
        place = line.partition(":")[0].removeprefix("game ")
        game, ply = place.split(", ply ")
        assert slips[game] <= int(ply), line


def test_with_many_slips_nothing_is_called_sure(tmp_path: Path) -> None:
    path = record("checkers", tmp_path / "games.jsonl", 50, all_moves=False)
    corrupt(path, tmp_path / "noisy.jsonl", "checkers", 0.01, 1)
    rulebook = grl.learn(
        tmp_path / "noisy.jsonl", noise=True, skip_bad=True, locm=False, rules=False
    )
    keys = {item["key"] for item in rulebook.model.report["automata"]}
    assert not_sure(rulebook) == keys
    assert len(rulebook.model.report["noise"]["suspicious"]) > 10


def test_clean_records_lose_nothing_by_the_search_for_slips(tmp_path: Path) -> None:
    path = record("checkers", tmp_path / "games.jsonl", 80, all_moves=False)
    rulebook = grl.learn(path, noise=True, locm=False, rules=False)
    assert wrong_in(rulebook, "checkers") == []
    assert len(rulebook.model.report["noise"]["suspicious"]) <= 2


# Confidence.


@cache
def learned_automata(spec: str, n: int) -> Rulebook:
    """What single moves of so many games show."""
    with tempfile.TemporaryDirectory() as folder:
        path = record(spec, Path(folder) / "games.jsonl", n, all_moves=False)
        return grl.learn(path, locm=False, rules=False)


@pytest.mark.parametrize(
    ("spec", "key", "few", "enough"),
    [
        ("checkers", "black K first", 2, 80),
        ("chess-bt", "white K first", 2, 60),
    ],
)
def test_a_piece_that_lacks_data_is_named_and_with_enough_is_sure(
    spec: str, key: str, few: int, enough: int
) -> None:
    poor, rich = learned_automata(spec, few), learned_automata(spec, enough)
    assert key in not_sure(poor)
    assert key in wrong_in(poor, spec)
    assert key not in not_sure(rich)
    assert key not in wrong_in(rich, spec)


# Minimality.


@pytest.mark.parametrize(
    ("spec", "keys"),
    [
        ("checkers", ("white m first", "black M first", "white k first", "black K first")),
        ("amazons:width=6,height=6", ("white q first", "black Q first", "white x appeared")),
        ("peg-solitaire", ("solver i first",)),
    ],
)
def test_that_no_smaller_automaton_fits_is_proven(
    spec: str, keys: tuple[str, ...], tmp_path: Path
) -> None:
    path = record(spec, tmp_path / "games.jsonl", 20 if spec == "checkers" else 5)
    report = grl.learn(path, prove_minimal=True, locm=False, rules=False).model.report
    proven = {item["key"]: item["minimal"] for item in report["automata"]}
    assert {key: proven[key] for key in keys} == dict.fromkeys(keys, True)


def test_a_planted_automaton_that_is_too_large_is_found_out(tmp_path: Path) -> None:
    path = record("checkers", tmp_path / "games.jsonl", 20)
    shard = observe([Traces.open(path)], 1, silent)
    equipment = games.load("checkers").equipment
    pooled = pools(collect(shard.evidence, equipment), equipment)
    (pool,) = (pool for key, pool in pooled.items() if str(key) == "white k first")
    planted = k_testable(pool.words, 6)
    assert planted.size > 10
    assert prove_minimal(planted, pool).proven is False


def test_what_has_the_evidence_of_another_is_its_mirror_image(tmp_path: Path) -> None:
    """The automaton that is taken over is the one that would have been found."""
    path = record("checkers", tmp_path / "games.jsonl", 30)
    shard = observe([Traces.open(path)], 1, silent)
    equipment = games.load("checkers").equipment
    pooled = pools(collect(shard.evidence, equipment), equipment)
    mirrored = 0
    for pool, other in permutations(pooled.values(), 2):
        symmetry = pool.reflected(other)
        if symmetry is not None:
            found, there = cheapest(pool).mirrored(symmetry, other), cheapest(other)
            assert found.automaton == there.automaton
            assert found.bits == pytest.approx(there.bits)
            mirrored += 1
    assert mirrored > 2


def test_the_silence_of_a_merge_is_that_of_the_merged_automaton(tmp_path: Path) -> None:
    path = record("checkers", tmp_path / "games.jsonl", 8)
    shard = observe([Traces.open(path)], 1, silent)
    equipment = games.load("checkers").equipment
    met = set[bool]()
    for pool in pools(collect(shard.evidence, equipment), equipment).values():
        planted = k_testable(pool.words, 3)
        merging = pool.merging(planted)
        for one, other in combinations(range(min(planted.size, 12)), 2):
            folded = merged(planted, one, other)
            if folded is not None:
                whole = pool.silence_bits(canonical(folded))
                assert merging.silence(folded, math.inf) == pytest.approx(whole)
                met.add(whole > pool.silence_bits(planted))
    assert met == {True, False}


# Games of people.


def test_from_games_of_people(tmp_path: Path) -> None:
    if not HUMAN_GAMES.exists():
        pytest.skip(f"no file {HUMAN_GAMES}: it lies outside the repository")
    lines = HUMAN_GAMES.read_text().splitlines(keepends=True)
    drawn = tmp_path / "people.txt"
    drawn.write_text("".join(Random(1).sample(lines, ENOUGH_PEOPLE)))
    game = games.load("checkers")
    path = tmp_path / "people.jsonl"
    write_traces(path, header_dict(game), Imports([drawn], FORMATS["acf"], game))
    rulebook = grl.learn(path, locm=False, rules=False)
    assert rulebook.model.report["games"] > 0.95 * ENOUGH_PEOPLE
    assert wrong_in(rulebook, "checkers") == []
