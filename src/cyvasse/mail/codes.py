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
import unicodedata
from bisect import bisect_right
from dataclasses import dataclass
from itertools import accumulate

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
_CODE = re.compile(r"\[cyv([0-9]+)\.([^\[\]]*)(\]?)")


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
    codes, broken = read_mail(text)
    if broken:
        raise broken[0]
    return codes


def read_mail(text: str) -> tuple[list[Code], list[MailError]]:
    """The codes in a mail, and what is wrong with those that cannot be read; one at least."""
    if len(text) > LONGEST_MAIL:
        raise MailError(f"this is too long for a mail: it may have {LONGEST_MAIL:,} letters")
    lines = text.splitlines()
    bare = [_bare(line) for line in lines]
    starts = list(accumulate(map(len, bare), initial=0))
    codes, broken = list[Code](), list[MailError]()
    for found in _CODE.finditer("".join(bare)):
        try:
            codes.append(_read(*found.groups()))
        except MailError as error:
            line = bisect_right(starts, found.start()) - 1
            bracket = bare[line][: found.start() - starts[line] + 1].count("[")
            column = len("[".join(lines[line].split("[")[:bracket])) + 1
            broken.append(MailError(f"line {line + 1}, column {column}: {error}"))
    if not codes and not broken:
        raise MailError(f"there is no code like [cyv1.…] in this text.{_hint(''.join(bare))}")
    return codes, broken


def _bare(line: str) -> str:
    """A line without quoting, spaces, and letters that cannot be seen."""
    line = "".join(line.lstrip(" \t>|").split())
    if line.isascii():
        return line
    return "".join(letter for letter in line if unicodedata.category(letter) != "Cf")


def _hint(plain: str) -> str:
    if "[cyv" in plain:
        return " It begins, but its end is missing: take all up to the ]."
    if "[cyv" in plain.lower():
        return " There is one in capitals: take it as it was, with its small letters."
    return ""


def _read(version: str, body: str, end: str) -> Code:
    if version != "1":
        raise MailError(f"this code is of version {version[:9]}; this program knows version 1")
    if not end:
        raise MailError("here begins a code, but its end is missing: take all up to the ]")
    strange = next((letter for letter in body if not "!" <= letter <= "~"), None)
    if strange:
        raise MailError(f"a letter was changed on the way: no code has the letter {strange!a}")
    *parts, check = body.split(".")
    code = ".".join(("cyv1", *parts))
    if check != _check(code):
        raise MailError(
            f"the code [{code[:24]}…] does not add up: a letter was lost or changed on the way"
        )
    kind, game, *fields = (*parts, "", "")[: max(2, len(parts))]
    if kind not in _FIELDS:
        raise MailError(f"this program knows no code of the kind {kind[:20]!r}")
    names = _FIELDS[kind]
    if len(fields) != len(names):
        raise MailError(f"a code '{kind}' has {', '.join(('a game', *names))}; this one differs")
    return Code(kind, game, tuple(fields))


def actions_before(code: Code) -> int:
    """How many actions had been played before a code was sent."""
    if code.kind in ("invite", "commit", "open"):
        return 0
    return number(code.fields[0] if code.kind == "turn" else code.fields[1])


def actions_after(code: Code) -> int:
    """How many actions have been played with a code."""
    return actions_before(code) + (len(code.fields[1].split(",")) if code.kind == "turn" else 0)


def number(text: str) -> int:
    """A number of actions; MailError if it is none."""
    if not text.isascii() or not text.isdigit() or len(text) > 7:
        raise MailError(f"{text[:20]!r} is no number of actions")
    return int(text)


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
