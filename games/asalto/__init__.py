"""Asalto: rules and perft tables."""
