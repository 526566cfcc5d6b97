"""Correspondence games without a server: two players mail each other short codes.

``codes`` says how a code is written, ``commitments`` what fixes a setup, ``correspondence`` what
each side knows and what may come next, ``checks`` whether that fits together, ``files`` keeps it,
and ``cyvasse mail`` is the command.  docs/mail.md is the guide.
"""

from cyvasse.mail.codes import Code, MailError, read_codes
from cyvasse.mail.commitments import commitment
from cyvasse.mail.correspondence import Correspondence

__all__ = ["Code", "Correspondence", "MailError", "commitment", "read_codes"]
