"""Hand-written reference games, one package each; installed as ``grl_games``."""
