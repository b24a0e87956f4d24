"""Buttons and Lights: rules and perft tables."""
