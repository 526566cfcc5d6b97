"""Known browsers: those in which the password of an account was right before.

Whoever guesses at a name uses up what strangers may try, and its owner would be locked out.  So a
browser that has signed in keeps a second cookie, also after it has signed out, and with it an
allowance of its own.  The cookie opens nothing: the password is asked for as ever.  OWASP calls
this a device cookie.
"""

from __future__ import annotations

import base64
import hmac
import re
import secrets
from collections.abc import Iterable
from typing import NamedTuple

# A browser may be a family's.
MOST_ACCOUNTS = 8
_BROWSER = re.compile(r"([\w-]{1,24})\.([0-9]{1,9})\.([\w-]{16})\.([\w-]{32})", re.ASCII)
_BETWEEN = ":"
LONGEST = MOST_ACCOUNTS * (24 + 9 + 16 + 32 + 4)


class Browser(NamedTuple):
    """A browser as one account knows it."""

    person: str
    session: int
    """A new password counts this up: then no browser is known any more."""
    mark: str
    """Drawn at each sign-in, so whoever has copied an older cookie has another allowance."""


class Browsers:
    """Writes and reads the cookie of known browsers."""

    def __init__(self, secret: bytes) -> None:
        self._secret = secret

    def read(self, cookie: str | None) -> list[Browser]:
        """The accounts that know this browser, those of last first; what is not ours is nothing."""
        if cookie is None or len(cookie) > LONGEST:
            return []
        found = []
        for each in cookie.split(_BETWEEN)[:MOST_ACCOUNTS]:
            if parts := _BROWSER.fullmatch(each):
                browser = Browser(parts[1], int(parts[2]), parts[3])
                if hmac.compare_digest(parts[4], self._signature(browser)):
                    found.append(browser)
        return found

    def known(self, cookie: str | None, person: str, session: int) -> Browser | None:
        """This browser, if that account knows it."""
        return next(
            (
                each
                for each in self.read(cookie)
                if (each.person, each.session) == (person, session)
            ),
            None,
        )

    def with_account(self, cookie: str | None, person: str, session: int) -> str:
        """The cookie after somebody has shown to know the password."""
        new = Browser(person, session, secrets.token_urlsafe(12))
        return self._write([new, *self._others(cookie, person)][:MOST_ACCOUNTS])

    def without_account(self, cookie: str | None, person: str) -> str:
        """The cookie after an account is gone; empty if no other one is left."""
        return self._write(self._others(cookie, person))

    def again(self, cookie: str | None) -> str:
        """The same cookie, without what is not ours."""
        return self._write(self.read(cookie))

    def _others(self, cookie: str | None, person: str) -> list[Browser]:
        return [each for each in self.read(cookie) if each.person != person]

    def _write(self, browsers: Iterable[Browser]) -> str:
        return _BETWEEN.join(
            f"{each.person}.{each.session}.{each.mark}.{self._signature(each)}" for each in browsers
        )

    def _signature(self, browser: Browser) -> str:
        # Other words than for the cookie that says who somebody is: neither can be the other.
        what = f"cyvasse browser {browser.person} {browser.session} {browser.mark}"
        digest = hmac.digest(self._secret, what.encode(), "sha256")
        return base64.urlsafe_b64encode(digest[:24]).decode()
