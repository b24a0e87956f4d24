"""Players of any game, learned or written by hand, behind one interface."""
