"""The web service: people, games, clocks and bots behind HTTP and a websocket."""
