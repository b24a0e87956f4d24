"""A grammar of board games, drawn by a seed from what the world's abstract games do.

`fields` has boards, `table` what parts may ask of a game, `words` ways of moving, `takings` what a
turn takes besides, `restrictions`, `endings` and `control` the rules over them, `play` the game
that follows from all that, `grammar` the weights, and `screening` the draw by seed.
"""
