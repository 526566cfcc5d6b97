"""The web service: people, games, clocks and bots behind HTTP and a websocket.

``contest.py`` is the heart and knows no network and no database: a game with its seats, its clock
and its offers, made of numbered *events*.  Everything around it stores events and carries them.
"""
