"""Correspondence without a server: two players mail each other short codes.

``codes`` says how a code is written, ``contest`` what each side knows and what may come next, and
``cyvasse mail`` is the command.  docs/mail.md is the guide.
"""

from cyvasse.mail.codes import Code, MailError, read_codes
from cyvasse.mail.contest import Correspondence, commitment

__all__ = ["Code", "Correspondence", "MailError", "commitment", "read_codes"]
