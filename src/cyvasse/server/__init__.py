"""The web service: people, games, clocks and bots behind HTTP and a websocket.

``contest.py`` is the heart and knows no network and no database: a game with its seats, its clock
and its offers, made of numbered *facts*.  Everything around it stores facts and carries them.
"""
