"""Rules pages: a text in Markdown as HTML that a browser only has to show.

The texts in docs/rules become HTML when the page is built; that of a rule set from another package
when the server is asked for it.  markdown-it-py does the work.  Markup in a text is not let
through, links lead to places of the text or to the web, and pictures come from a gallery alone, so
nothing that a text says can run in a browser.

This module needs no other of the package: the page is built before the package is.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Literal, NamedTuple

from markdown_it import MarkdownIt
from markdown_it.token import Token

CHAPTER = "h2"
WEB = re.compile(r"https?://")
_CODE = re.compile(r"\b([DP]\d+)\b")
"""A decision or a platform rule, as texts and explanations cite it."""
_NAME = re.compile(r"[A-Za-z][a-z]+( [A-Za-z]+)*$")
_PART = re.compile(r"^\[[^\]]*\]\(([\w./-]+\.md)\)$", re.MULTILINE)
_MARKDOWN = MarkdownIt("commonmark", {"html": False, "xhtmlOut": False}).enable("table")


@dataclass(frozen=True)
class Chapter:
    """An entry of the table of contents; ``id`` is its place in the text."""

    id: str
    text: str


@dataclass(frozen=True)
class RulesPage:
    """A text as HTML, without its title, and its chapters."""

    html: str
    chapters: list[Chapter]


class Picture(NamedTuple):
    """A picture that stands beside the text, and the room it needs."""

    src: str
    width: int
    height: int


Gallery = Callable[[str], Picture | None]
"""Finds the picture that a text names by its path, such as ``images/board.svg``."""


def rules_page(text: str, gallery: Gallery = lambda path: None) -> RulesPage:
    """A text as HTML.

    >>> rules_page("# Hop\\n\\n## The board\\n\\nIt has *nine* squares.").html
    '<h2 id="the-board">The board</h2>\\n<p>It has <em>nine</em> squares.</p>\\n'
    """
    tokens = _without_title(_MARKDOWN.parse(text))
    for token in tokens:
        token.children = list(_links(token.children or [])) or None
    tokens = list(_tables(_code(_figures(tokens, gallery))))
    chapters = list(_headings(tokens))
    _cite(tokens, set(_leads(tokens)))
    return RulesPage(_MARKDOWN.renderer.render(tokens, _MARKDOWN.options, {}), chapters)


def with_parts(text: str, read: Callable[[str], str]) -> str:
    """A text with those that it shares with others in it.

    A line that is nothing but a link to another file stands for that file, without its title.

    >>> with_parts("One.\\n\\n[Two](two.md)", {"two.md": "# Two\\n\\nThe rest.\\n"}.__getitem__)
    'One.\\n\\nThe rest.'
    """
    return _PART.sub(lambda link: re.sub(r"\A# .*\n", "", read(link[1])).strip(), text)


def slug(text: str) -> str:
    """The place of a heading, as GitHub makes it, so that links work there too.

    >>> slug("Mountains & keeps: D1")
    'mountains--keeps-d1'
    """
    return re.sub(r"\s", "-", re.sub(r"[^\w\s-]", "", text.lower()).strip())


def _without_title(tokens: list[Token]) -> list[Token]:
    """The page has it above the text already."""
    return tokens[3:] if tokens and tokens[0].tag == "h1" else tokens


def _words(token: Token) -> str:
    """What an inline token says, without markup."""
    breaks = ("softbreak", "hardbreak")
    return "".join(" " if child.type in breaks else child.content for child in token.children or [])


def _headings(tokens: list[Token]) -> Iterator[Chapter]:
    """Give every heading its place, and tell the chapters."""
    used: dict[str, int] = {}
    for at, token in enumerate(tokens):
        if token.type == "heading_open":
            words = _words(tokens[at + 1])
            place = slug(words)
            times = used[place] = used.get(place, -1) + 1
            token.attrs["id"] = f"{place}-{times}" if times else place
            if token.tag == CHAPTER:
                yield Chapter(str(token.attrs["id"]), words)


def _leads(tokens: list[Token]) -> Iterator[str]:
    """Give what begins in bold a place too, as explanations cite it; tell the codes.

    ``- **D1 Normal moves.** …`` is at ``#d1``, ``**Water.** …`` at ``#water``, and so is the row of
    a table in which ``Water`` is told first.
    """
    taken = {token.attrs.get("id") for token in tokens}
    for at, token in enumerate(tokens):
        if token.type == "tr_open":
            place = slug(_told_first(tokens, at))
            if place and place not in taken:
                taken.add(place)
                token.attrs["id"] = place
        if token.type not in ("list_item_open", "paragraph_open"):
            continue
        lead = _lead(tokens, at + (token.type == "list_item_open"))
        code = _CODE.match(lead)
        place = code[1].lower() if code else slug(lead)
        # An item holds a paragraph, which would come here again.
        if place and place not in taken and (not code or token.type == "list_item_open"):
            taken.add(place)
            token.attrs["id"] = place
            if code:
                yield code[1]


def _lead(tokens: list[Token], at: int) -> str:
    """The bold words with which a paragraph begins."""
    told = [child for child in _paragraph(tokens, at) if child.type != "text" or child.content]
    return told[1].content if told and told[0].type == "strong_open" else ""


def _told_first(tokens: list[Token], at: int) -> str:
    """What the row of a table is about: the first of its cells that is a name."""
    end = next(n for n in range(at, len(tokens)) if tokens[n].type == "tr_close")
    cells = [tokens[n].content for n in range(at, end) if tokens[n - 1].type == "td_open"]
    return next((cell for cell in cells if _NAME.match(cell)), "")


def _cite(tokens: list[Token], codes: set[str]) -> None:
    """Make each code in the text a link to the place that explains it."""
    for at, token in enumerate(tokens):
        if token.type == "inline" and tokens[at - 1].type != "heading_open":
            token.children = list(_cited(token.children or [], codes)) or None


def _cited(tokens: list[Token], codes: set[str]) -> Iterator[Token]:
    within = 0
    for token in tokens:
        if token.type.startswith(("strong", "link")):
            within += token.nesting
        if token.type != "text" or within:
            yield token
            continue
        for piece in _CODE.split(token.content):
            if piece in codes:
                link = {"href": f"#{piece.lower()}", "class": "rule"}
                yield Token("link_open", "a", 1, attrs=dict(link))
                yield Token("text", "", 0, content=piece)
                yield Token("link_close", "a", -1)
            elif piece:
                yield Token("text", "", 0, content=piece)


def _links(tokens: list[Token]) -> Iterator[Token]:
    """Links to other files of a repository are plain words here; others open beside the page."""
    kept: list[bool] = []
    for token in tokens:
        if token.type == "link_open":
            target = str(token.attrs.get("href", ""))
            kept.append(target.startswith("#") or bool(WEB.match(target)))
            token.attrs = {"href": target}
            if not target.startswith("#"):
                token.attrs |= {"target": "_blank", "rel": "noopener noreferrer"}
            if kept[-1]:
                yield token
        elif token.type != "link_close" or kept.pop():
            yield token


def _figures(tokens: list[Token], gallery: Gallery) -> Iterator[Token]:
    """A paragraph that is a picture becomes a figure.

    If the next paragraph is emphasised as a whole it tells what the picture shows.  A picture that
    is not there is told in words, and so is one inside a line.
    """
    at = 0
    while at < len(tokens):
        children = _paragraph(tokens, at)
        if [child.type for child in children] != ["image"]:
            yield _in_words(tokens[at])
            at += 1
            continue
        picture = gallery(str(children[0].attrs["src"]))
        yield _tag("figure", 1)
        if picture is None:
            yield from (_tag("p", 1), _in_words(tokens[at + 1]), _tag("p", -1))
        else:
            yield _image(children[0], picture)
        at += 3
        below = _paragraph(tokens, at)
        ends = [place for place, child in enumerate(below) if child.type == "em_close"]
        if below and below[0].type == "em_open" and ends == [len(below) - 1]:
            tokens[at + 1].children = below[1:-1]
            yield from (_tag("figcaption", 1), tokens[at + 1], _tag("figcaption", -1))
            at += 3
        yield _tag("figure", -1)


def _paragraph(tokens: list[Token], at: int) -> list[Token]:
    """What a paragraph that begins here consists of; nothing if none does."""
    begins = at < len(tokens) and tokens[at].type == "paragraph_open"
    return (tokens[at + 1].children or []) if begins else []


def _in_words(token: Token) -> Token:
    """The same without pictures."""
    for child in token.children or []:
        if child.type == "image":
            child.type, child.children = "text", None  # its content is what it shows, in words
    return token


def _image(token: Token, picture: Picture) -> Token:
    """Its room is kept, and it is fetched when it comes near."""
    src, width, height = picture
    token.attrs = {"src": src, "alt": "", "width": width, "height": height}
    token.attrs |= {"loading": "lazy", "decoding": "async"}
    return Token("inline", "", 0, children=[token])


def _code(tokens: Iterator[Token]) -> Iterator[Token]:
    """Blocks of code can be scrolled sideways by keys."""
    for token in tokens:
        if token.type in ("fence", "code_block"):
            token = Token("code_block", "code", 0, content=token.content.rstrip("\n"), block=True)
            token.attrs = {"tabindex": "0"}
        yield token


def _tables(tokens: Iterator[Token]) -> Iterator[Token]:
    """Tables too; and a column without a title has no header."""
    listed = list(tokens)
    for at, token in enumerate(listed):
        if token.tag in ("th", "td"):
            cell = listed[at + token.nesting]
            token.attrs = {"scope": "col"} if token.type == "th_open" else {}
            if not cell.content:
                token.tag, token.attrs = "td", {}
        if token.type == "table_open":
            yield _tag("div", 1, {"class": "table", "tabindex": "0"})
        yield token
        if token.type == "table_close":
            yield _tag("div", -1)


def _tag(name: str, nesting: Literal[1, -1], attributes: dict[str, str] | None = None) -> Token:
    return Token(f"{name}_{nesting}", name, nesting, attrs=dict(attributes or {}), block=True)
