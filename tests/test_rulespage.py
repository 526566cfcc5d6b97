"""Rules pages as HTML: what Markdown says is shown, and nothing that it says can run."""

from __future__ import annotations

import json
import re
from html.parser import HTMLParser
from pathlib import Path

import pytest

import cyvasse

pytest.importorskip("markdown_it")

from cyvasse.explain import explain
from cyvasse.rulespage import Chapter, Picture, RulesPage, rules_page, slug, with_parts

DOCS = Path(__file__).parent.parent / "docs" / "rules"
SIZES: dict[str, tuple[int, int]] = json.loads((DOCS / "images" / "sizes.json").read_text())
BOARD = Picture("/assets/board.svg", 560, 400)
SHOWN = "![All <88> squares](images/board.svg)"
EXTERNAL = '<a href="https://e.org" target="_blank" rel="noopener noreferrer">'
IMAGE = (
    '<img src="/assets/board.svg" alt="All &lt;88&gt; squares" width="560" height="400" '
    'loading="lazy" decoding="async">'
)


def html(text: str) -> str:
    """The HTML of a text beside one picture, without the line breaks between blocks."""
    made = rules_page(text, {"images/board.svg": BOARD}.get).html
    return re.sub(r"(?<=>)\n(?=<|$)", "", made)


def line(text: str) -> str:
    """The HTML of a text that is one paragraph."""
    return html(text).removeprefix("<p>").removesuffix("</p>")


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("a **b c** and *d*", "a <strong>b c</strong> and <em>d</em>"),
        ("`e<f`", "<code>e&lt;f</code>"),
        ("see [below](#the-end)", 'see <a href="#the-end">below</a>'),
        (
            "[it](https://e.org/?b=1&c=2)",
            '<a href="https://e.org/?b=1&amp;c=2" target="_blank" rel="noopener noreferrer">it</a>',
        ),
        ("(<https://e.org>)", f"({EXTERNAL}https://e.org</a>)"),
        ("`e4*e5 **no**` and 2 * 3 * 4", "<code>e4*e5 **no**</code> and 2 * 3 * 4"),
        (r"e4\*e5 \| x", "e4*e5 | x"),
        ("[formats](../formats.md) tell", "formats tell"),
        ("[`two` *words*](../formats.md) tell", "<code>two</code> <em>words</em> tell"),
    ],
)
def test_words_inside_a_line(text: str, shown: str) -> None:
    assert line(text) == shown


@pytest.mark.parametrize(
    "text",
    [
        "<img src=x onerror=alert(1)>",
        "<script>alert(1)</script>",
        "a <b onclick=x>bold</b> word",
        "<!-- x --><a href=javascript:alert(1)>y</a>",
        "[x](javascript:alert%281%29)",
        "[x](JavaScript:alert)",
        "[x](data:text/html,y)",
        "[x](//elsewhere.org/y)",
        "[x]: javascript:y\n\n[x]",
        '[x](https://e.org/"onclick="y)',
        '[x](#a"onclick="y)',
        '[x](https://e.org/ "a\\"onclick=\\"y")',
        '![x" onerror="y](https://e.org/a.svg)',
        '![x" onerror="y](images/board.svg)',
        "in ![a](https://e.org/a.svg) line",
        '```"onclick="y\ncode\n```',
        "&lt;script&gt; &#60;b&#62;",
        "| <b>a</b> |\n|:-:|\n| <i>b</i> |",
        '## <b id="x">y</b>',
    ],
)
def test_nothing_gets_through_that_could_run(text: str) -> None:
    """Only our own tags, with our own attributes, and links to this text or the web."""

    class Reader(HTMLParser):
        def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
            assert tag in KNOWN, tag
            for name, value in attrs:
                assert name in KNOWN[tag], f"{tag} {name}"
                assert name != "href" or re.match("#|https?://", value or ""), value
                assert name != "src" or value == BOARD.src

        def handle_comment(self, data: str) -> None:
            raise AssertionError(data)

    reader = Reader()
    reader.feed(html(text))
    reader.close()


KNOWN: dict[str, set[str]] = {
    **{tag: set() for tag in ("p", "em", "strong", "code", "figure", "figcaption", "tr", "td")},
    **{tag: set() for tag in ("table", "thead", "tbody", "ul", "ol", "li", "hr", "br")},
    "a": {"href", "target", "rel"},
    "img": {"src", "alt", "width", "height", "loading", "decoding"},
    "h2": {"id"},
    "pre": {"tabindex"},
    "div": {"class", "tabindex"},
    "th": {"scope"},
}


def test_paragraphs_and_lists() -> None:
    assert html("one\ntwo\n\nthree\n## Four\nfive\n- six") == (
        '<p>one\ntwo</p><p>three</p><h2 id="four">Four</h2><p>five</p><ul><li>six</li></ul>'
    )
    assert html("1. one\n   goes on\n2. two\n   - inner\n   - more\n\nafter") == (
        "<ol><li>one\ngoes on</li>"
        "<li>two\n<ul><li>inner</li><li>more</li></ul></li></ol><p>after</p>"
    )
    assert html("3. three") == '<ol start="3"><li>three</li></ol>'


def test_the_title_is_left_to_the_page() -> None:
    assert html("# Hop\n\nA game.") == "<p>A game.</p>"
    assert html("A game.\n\n# Hop") == '<p>A game.</p><h1 id="hop">Hop</h1>'


def test_chapters_have_places() -> None:
    """As GitHub makes them; two of the same name are told apart."""
    page = rules_page("## The `end`\n\n### Water, again\n\n## The [end](x.md)\n\n## Ende & *Öde*")
    assert page.chapters == [
        Chapter("the-end", "The end"),
        Chapter("the-end-1", "The end"),
        Chapter("ende--öde", "Ende & Öde"),
    ]
    assert '<h3 id="water-again">Water, again</h3>' in page.html
    assert slug("Mountains & keeps: D1") == "mountains--keeps-d1"


def test_code_stays_as_it_is() -> None:
    assert html("```text\n a  <b>\n\n- c\n```\nafter") == (
        '<pre tabindex="0"><code> a  &lt;b&gt;\n\n- c</code></pre><p>after</p>'
    )
    assert html("```\nnever closed") == '<pre tabindex="0"><code>never closed</code></pre>'


def test_tables_can_be_scrolled_and_their_headers_say_so() -> None:
    assert html("| a | |\n|---|:-:|\n| `x` | one \\| two |\n\nafter") == (
        '<div class="table" tabindex="0"><table>'
        '<thead><tr><th scope="col">a</th><td></td></tr></thead>'
        "<tbody><tr><td><code>x</code></td><td>one | two</td></tr></tbody>"
        "</table></div><p>after</p>"
    )


def test_pictures_keep_their_room_and_come_when_they_are_near() -> None:
    assert html(f"{SHOWN}\n\nafter") == f"<figure>{IMAGE}</figure><p>after</p>"
    assert f"<figure>{IMAGE}</figure></li>" in html(f"- one\n\n  {SHOWN}")


@pytest.mark.parametrize(
    ("below", "shown"),
    [
        (
            "*The `e4`\nsquare.*\n\nAfter.",
            "<figcaption>The <code>e4</code>\nsquare.</figcaption></figure><p>After.</p>",
        ),
        ("*In front of* it.", "</figure><p><em>In front of</em> it.</p>"),
        ("*This* and *that*", "</figure><p><em>This</em> and <em>that</em></p>"),
        ("**Bold.**", '</figure><p id="bold"><strong>Bold.</strong></p>'),
    ],
)
def test_a_paragraph_that_is_emphasised_as_a_whole_is_a_caption(below: str, shown: str) -> None:
    assert html(f"{SHOWN}\n\n{below}") == f"<figure>{IMAGE}{shown}"


def test_pictures_are_told_in_words_where_there_are_none() -> None:
    assert html("![A board](images/other.svg)") == "<figure><p>A board</p></figure>"
    assert html("In ![a board](images/board.svg), seen.") == "<p>In a board, seen.</p>"


def test_what_is_decided_has_a_place_and_is_quietly_linked() -> None:
    """Where it is cited, not where it stands; what the text does not decide is no link."""
    made = html("Own it (D1, D7).\n\n## No D1\n\n- **D1 Tea.** Not `D1`, see P2.\n- **P2** Two.")
    assert made == (
        '<p>Own it (<a href="#d1" class="rule">D1</a>, D7).</p>'
        '<h2 id="no-d1">No D1</h2>'
        '<ul><li id="d1"><strong>D1 Tea.</strong> Not <code>D1</code>, '
        'see <a href="#p2" class="rule">P2</a>.</li>'
        '<li id="p2"><strong>P2</strong> Two.</li></ul>'
    )


def test_what_begins_in_bold_has_a_place() -> None:
    assert html("**Light Horse.** It rides.\n\n**Light Horse.** Again.") == (
        '<p id="light-horse"><strong>Light Horse.</strong> It rides.</p>'
        "<p><strong>Light Horse.</strong> Again.</p>"
    )


class Page(HTMLParser):
    """What there is on a page."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str]]] = []
        self.words = ""
        self._code = 0
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, {name: value or "" for name, value in attrs}))
        self._code += tag == "code"

    def handle_endtag(self, tag: str) -> None:
        self._code -= tag == "code"

    def handle_data(self, data: str) -> None:
        self.words += "" if self._code else data

    def all(self, tag: str) -> list[dict[str, str]]:
        return [attributes for name, attributes in self.tags if name == tag]


@pytest.mark.parametrize("rules", cyvasse.rule_sets(), ids=lambda rules: rules.id)
def test_what_explanations_cite_is_on_the_page(rules: cyvasse.RuleSet) -> None:
    """``nine-tile D1`` is at ``#d1``, ``croft, Water`` at ``#water``."""
    places = {attributes.get("id") for _, attributes in Page(own_page(rules).html).tags}
    cited = {
        reason.rule
        for seed in range(6)
        for position in [rules.random_position(seed, actions=8 * seed)]
        if position.outcome() is None
        for origin, piece in sorted(position.pieces().items())[::2]
        if piece.color is position.turn
        for target in rules.board.squares[seed::4]
        for reason in explain(position, origin, target)
        if reason.rule.startswith(rules.id)
    }
    assert len(cited) > 4
    assert {rule for rule in cited if slug(rule.removeprefix(rules.id)) not in places} == set()


def own_page(rules: cyvasse.RuleSet) -> RulesPage:
    """The page of one of our rule sets, as the build makes it."""

    def read(path: str) -> str:
        return (DOCS / path).read_text(encoding="utf-8")

    text = with_parts(read(f"{rules.id}.md"), read)
    return rules_page(text, lambda path: Picture(path, *SIZES[path.removeprefix("images/")]))


@pytest.mark.parametrize("rules", cyvasse.rule_sets(), ids=lambda rules: rules.id)
def test_our_own_pages(rules: cyvasse.RuleSet) -> None:
    """No markup is left over, every link leads somewhere, every picture is there and told."""
    made = own_page(rules)
    page = Page(made.html)
    chapters = [chapter.text for chapter in made.chapters]
    assert chapters[-2:] == ["Platform rules", "Decisions"]
    assert {"How it is written", "A first opening", "Hints for a first game"} <= set(chapters)
    assert {"p1", "p5", "d1"} <= {attributes.get("id") for _, attributes in page.tags}
    assert not re.search(r"\*\*|```|\]\(|^#+ |\|---", page.words, re.MULTILINE)
    places = {attributes.get("id") for _, attributes in page.tags}
    inside = {link["href"] for link in page.all("a") if link["href"].startswith("#")}
    assert inside <= {f"#{place}" for place in places}
    assert len(made.chapters) > 3
    images = page.all("img")
    assert len(images) > 7
    assert len(images) == len(page.all("figure")) == len(page.all("figcaption"))
    for image in images:
        assert (DOCS / image["src"]).is_file()
        assert len(image["alt"]) > 60
        assert 0 < int(image["width"]) <= 560
        assert int(image["height"]) > 0
