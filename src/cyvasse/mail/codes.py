"""The codes that go by mail: readable, in brackets, safe against broken lines and typing errors.

>>> code = Code("turn", "q7wd2mzk", ("4", "e4-e5,end", "hq3mzx5a"))
>>> str(code)
'[cyv1.turn.q7wd2mzk.4.e4-e5,end.hq3mzx5a.5vyyh]'
>>> mail = "Well met!\\n> [cyv1.turn.q7wd2mzk.4.\\n> e4-e5,end.hq3mzx5a.5vyyh]\\nYours"
>>> read_codes(mail) == [code]
True
"""

from __future__ import annotations

import base64
import binascii
import hashlib
import re
from dataclasses import dataclass

from cyvasse.errors import CyvasseError

LONGEST_MAIL = 1_000_000
_FIELDS = {
    "invite": ("rule set", "seat"),
    "commit": ("seat", "commitment"),
    "open": ("seat", "salt", "setup"),
    "turn": ("number of actions before it", "actions", "seal"),
    "resign": ("seat", "number of actions before it"),
    "offer": ("seat", "number of actions before it"),
    "agree": ("seat", "number of actions before it"),
}
_CODE = re.compile(r"\[cyv(\d+)\.([^\[\]]*)\]")
_QUOTED = re.compile(r"^[ \t>|]+", re.MULTILINE)


class MailError(CyvasseError):
    """A code that cannot be read, or does not fit this game now."""


@dataclass(frozen=True)
class Code:
    """What one player tells the other in one go."""

    kind: str
    """A key of the table above: ``invite``, ``commit``, ``open``, ``turn`` …"""
    game: str
    fields: tuple[str, ...]

    def __str__(self) -> str:
        body = ".".join(("cyv1", self.kind, self.game, *self.fields))
        return f"[{body}.{_check(body)}]"


def read_codes(text: str) -> list[Code]:
    """All the codes in a mail, in order; other words, line breaks and quoting do not matter."""
    if len(text) > LONGEST_MAIL:
        raise MailError(f"this is too long for a mail: {len(text)} letters, at most {LONGEST_MAIL}")
    plain = "".join(_QUOTED.sub("", text).split())
    found = _CODE.findall(plain)
    if not found:
        hint = (
            " It begins, but its end is missing: take all up to the ]." if "[cyv" in plain else ""
        )
        raise MailError(f"there is no code like [cyv1.…] in this text.{hint}")
    return [_read(version, body) for version, body in found]


def _read(version: str, body: str) -> Code:
    if version != "1":
        raise MailError(f"this code is of version {version}; this program knows version 1")
    *parts, check = body.split(".")
    told = ".".join(("cyv1", *parts))
    if check != _check(told):
        raise MailError(
            f"the code [{told[:24]}…] does not add up: a letter was lost or changed on the way"
        )
    kind, game, *fields = (*parts, "", "")[: max(2, len(parts))]
    if kind not in _FIELDS:
        raise MailError(f"this program knows no code of the kind {kind[:20]!r}")
    names = _FIELDS[kind]
    if len(fields) != len(names):
        raise MailError(f"a code '{kind}' has {', '.join(('a game', *names))}; this one differs")
    return Code(kind, game, tuple(fields))


def _check(body: str) -> str:
    return base32(hashlib.sha256(body.encode()).digest())[:5]


def base32(data: bytes) -> str:
    """Bytes in small letters and digits."""
    return base64.b32encode(data).decode().rstrip("=").lower()


def from_base32(text: str, size: int, what: str) -> bytes:
    """The bytes again; MailError if there are not just so many."""
    try:
        data = base64.b32decode(text.upper() + "=" * (-len(text) % 8))
    except (binascii.Error, ValueError):
        data = b""
    if len(data) != size or base32(data) != text:
        raise MailError(f"the {what} in this code is none: {text[:60]!r}")
    return data


def packed(text: str) -> str:
    """Any text as letters that a code may hold."""
    return base64.urlsafe_b64encode(text.encode()).decode().rstrip("=")


def unpacked(letters: str, what: str) -> str:
    """The text again; MailError if it is none."""
    try:
        data = base64.b64decode(letters + "=" * (-len(letters) % 4), b"-_", validate=True)
        return data.decode()
    except (binascii.Error, ValueError):
        raise MailError(f"the {what} in this code cannot be read: {letters[:60]!r}") from None
