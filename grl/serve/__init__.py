"""A page on which learned games are played, seen, questioned and taught, and its JSON interface.

Starlette and uvicorn (extra `web`) carry requests; the page is plain modules in ``static/`` that
need no build and nothing from elsewhere. Models are data, and nothing from a file becomes markup.

Read `grl.serve.messages` first, which has what goes over the wire, then `grl.serve.tables`, games
under way, and `grl.serve.app`, which puts everything together.
"""
