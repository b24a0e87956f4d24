"""Xiangqi on 7 x 7: rules and perft tables."""
