"""SGRL+: a minimal automaton for every piece, from the words that were and were not played.

Turns are cut into words of micro-moves, laid on the board with all words that would have fitted
there, and candidate automata are weighed by what they cost and by how odd the silence is on words
that they offer and nobody played. Every stage adds up, so that records can be read in parts.

Read `grl.sgrl.words` first, then `grl.sgrl.evidence`, `grl.sgrl.offers` and `grl.sgrl.learn`.
"""
