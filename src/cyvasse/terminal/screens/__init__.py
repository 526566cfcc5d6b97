"""The screens of the game in the terminal; they need Textual."""
