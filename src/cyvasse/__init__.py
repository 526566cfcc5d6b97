"""Cyvasse."""
from cyvasse.rules import rule_set, rule_sets
from cyvasse.rules.perft import perft
