import { describe, expect, it } from "vitest";
import { gallery } from "../../src/screens/gallery";
import { inline, render, slug } from "../../src/screens/markdown";

const html = (text: string): string => render(text).html;
const board = { src: "/assets/board.svg#x", width: 560, height: 400 };
const pictured = (text: string): string =>
  render(text, (path) => (path === "images/board.svg" ? board : null)).html;
const IMAGE =
  '<img src="/assets/board.svg#x" alt="All &lt;88&gt; squares" width="560" height="400" loading="lazy" decoding="async">';

describe("words inside a line", () => {
  it("knows bold, emphasis, code and links", () => {
    expect(inline("a **b c** and *d*, `e<f`")).toBe(
      "a <strong>b c</strong> and <em>d</em>, <code>e&lt;f</code>",
    );
    expect(inline("see [below](#the-end)")).toBe('see <a href="#the-end">below</a>');
    expect(inline("(<https://example.org/a?b=1&c=2>)")).toBe(
      '(<a href="https://example.org/a?b=1&amp;c=2" target="_blank" rel="noopener noreferrer">https://example.org/a?b=1&amp;c=2</a>)',
    );
  });

  it("finds no markup in code, nor in stars with room around them", () => {
    expect(inline("`e4*e5 **no**` and 2 * 3 * 4")).toBe("<code>e4*e5 **no**</code> and 2 * 3 * 4");
    expect(inline("e4\\*e5 \\| x")).toBe("e4*e5 | x");
  });

  it("lets nothing through that could run", () => {
    expect(inline("<img src=x onerror=alert(1)>")).toBe("&lt;img src=x onerror=alert(1)&gt;");
    expect(inline("[x](javascript:alert%281%29)")).toBe("x");
    expect(inline('[x](https://e.org/"onclick="y)')).not.toContain('"onclick');
    expect(inline("a \u00000\u0000 b")).toBe("a 0 b");
  });

  it("makes plain words of links to other files", () => {
    expect(inline("[formats](../formats.md) tell")).toBe("formats tell");
  });
});

describe("blocks", () => {
  it("joins lines to paragraphs and ends them at headings, lists and empty lines", () => {
    expect(html("one\ntwo\n\nthree\n## Four\nfive\n- six")).toBe(
      '<p>one two</p>\n<p>three</p>\n<h2 id="four">Four</h2>\n<p>five</p>\n<ul><li>six</li></ul>',
    );
  });

  it("numbers headings of the same name, and tells all of them", () => {
    const { headings } = render("## The `end`\n\n### Water, again\n\n## The end");
    expect(headings).toEqual([
      { level: 2, id: "the-end", text: "The end" },
      { level: 3, id: "water-again", text: "Water, again" },
      { level: 2, id: "the-end-1", text: "The end" },
    ]);
    expect(slug("Mountains & keeps: D1")).toBe("mountains--keeps-d1");
  });

  it("nests lists, continues items, and starts where the numbers start", () => {
    expect(html("1. one\n   goes on\n2. two\n   - inner\n   - more\n\nafter")).toBe(
      "<ol><li>one goes on</li><li>two\n<ul><li>inner</li><li>more</li></ul></li></ol>\n<p>after</p>",
    );
    expect(html("3. three")).toBe('<ol start="3"><li>three</li></ol>');
    expect(html("- a\n\n- b\n\n1. c")).toBe(
      "<ul><li>a</li><li>b</li></ul>\n<ol><li>c</li></ol>",
    );
  });

  it("keeps what is fenced as it is", () => {
    expect(html("```text\n a  <b>\n\n- c\n```\nafter")).toBe(
      '<pre tabindex="0"><code> a  &lt;b&gt;\n\n- c</code></pre>\n<p>after</p>',
    );
    expect(html("```\nnever closed")).toBe('<pre tabindex="0"><code>never closed</code></pre>');
  });

  it("draws tables", () => {
    const drawn = html("| a | b |\n|---|---|\n| `x` | one \\| two |\n\nafter");
    expect(drawn).toContain('<th scope="col">a</th><th scope="col">b</th>');
    expect(drawn).toContain("<td><code>x</code></td><td>one | two</td>");
    expect(drawn).toContain("<p>after</p>");
  });
});

describe("pictures", () => {
  it("keep their room and are fetched when they are near", () => {
    expect(pictured("![All <88> squares](images/board.svg)\n\nafter")).toBe(
      `<figure>${IMAGE}</figure>\n<p>after</p>`,
    );
  });

  it("have the paragraph below as a caption if it is emphasised as a whole", () => {
    expect(
      pictured("![All <88> squares](images/board.svg)\n\n*The `e4`\nsquare.*\n\n*Part* of it."),
    ).toBe(
      `<figure>${IMAGE}<figcaption>The <code>e4</code> square.</figcaption></figure>\n<p><em>Part</em> of it.</p>`,
    );
    expect(pictured("![All <88> squares](images/board.svg)\n\n*In front of* it.")).toContain(
      "</figure>\n<p><em>In front of</em> it.</p>",
    );
    expect(pictured("![All <88> squares](images/board.svg)\n\n**Bold.**")).not.toContain(
      "figcaption",
    );
  });

  it("are told in words where there are none", () => {
    expect(html("![A board](images/other.svg)")).toBe("<figure><p>A board</p></figure>");
    expect(pictured('![x" onerror="y](https://e.org/a.svg)')).toBe(
      "<figure><p>x&quot; onerror=&quot;y</p></figure>",
    );
  });

  it("stand in lists too", () => {
    expect(pictured("- one\n\n  ![All <88> squares](images/board.svg)")).toContain(
      `<figure>${IMAGE}</figure></li>`,
    );
  });
});

describe("the rules of the repository", () => {
  const files = import.meta.glob<string>("../../../docs/rules/*.md", {
    query: "?raw",
    import: "default",
    eager: true,
  });
  it("are found", () => expect(Object.keys(files)).not.toHaveLength(0));
  for (const [file, text] of Object.entries(files)) {
    it(`${file} has no markup left over, and its links lead somewhere`, () => {
      const page = document.createElement("div");
      page.innerHTML = render(text, gallery).html;
      expect(page.querySelectorAll("h2").length).toBeGreaterThan(3);
      const places = [...page.querySelectorAll("a[href^='#']")].map((a) => a.getAttribute("href")!);
      for (const place of places) expect(page.querySelector(place), place).not.toBeNull();
      const images = [...page.querySelectorAll("img")];
      expect(images.length).toBeGreaterThan(7);
      expect(page.querySelectorAll("figure figcaption")).toHaveLength(images.length);
      expect(page.querySelectorAll("figure p")).toHaveLength(0);
      for (const image of images) {
        expect(image.src).toMatch(/\/[a-z-]+\.svg/);
        expect(image.alt.length).toBeGreaterThan(60);
        expect(image.width).toBeLessThanOrEqual(560);
        expect(image.height).toBeGreaterThan(0);
      }
      page.querySelectorAll("code, pre").forEach((code) => code.remove());
      expect(page.textContent).not.toMatch(/\*\*|```|\]\(|^#+ |\|---/m);
    });
  }
});
