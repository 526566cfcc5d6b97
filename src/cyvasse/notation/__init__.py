"""Text forms."""
