"""Searches over features as columns, an entry a turn or a position.

For conjunctions, for ordered lists of rules, for patterns on boards, and for further features.
"""
