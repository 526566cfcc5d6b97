"""The REST API, one module a subject."""
