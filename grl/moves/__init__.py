"""Pseudo-legal turns: what the automata of pieces and the machines of turns allow together.

The search walks the board depth first and spells words letter by letter; a turn is found where the
automaton accepts and all machines agree. There is a readable form of it and a fast one, which keeps
trees of words between positions; both give the same turns in the same order.

Read `grl.moves.search` first, then `grl.moves.compiled`.
"""
