"""Abalone's pushes on a small hexagon: rules and perft tables."""
