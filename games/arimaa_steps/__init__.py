"""Arimaa's steps, pushes and pulls on 5 x 5, one a turn: rules and perft tables."""
