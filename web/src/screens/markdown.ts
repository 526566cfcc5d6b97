// Our own rules texts as HTML: the part of Markdown that docs/rules uses, and nothing else.
// Everything is escaped first, so no text can bring markup of its own.

export interface Heading {
  level: number;
  id: string;
  text: string;
}

/** A picture that stands beside the text, and the room it needs. */
export interface Picture {
  src: string;
  width: number;
  height: number;
}

/** Finds the picture that a text names by its path, such as `images/board.svg`. */
export type Gallery = (path: string) => Picture | null;

export interface Rendered {
  html: string;
  headings: Heading[];
}

const ESCAPES: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };
const escape = (text: string): string => text.replace(/[&<>"]/g, (sign) => ESCAPES[sign]!);

/** As GitHub makes them, so that links inside a text work in both places. */
export function slug(text: string): string {
  return text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, "")
    .trim()
    .replace(/\s/g, "-");
}

function plain(text: string): string {
  return text.replace(/\[([^\]]*)\]\([^)]*\)/g, "$1").replace(/[`*<>]/g, "");
}

/** Words inside a line: code, bold, emphasis, links. */
export function inline(text: string): string {
  // Code is set aside first: nothing inside it has a meaning.
  const kept: string[] = [];
  const keep = (html: string): string => `\u0000${kept.push(html) - 1}\u0000`;
  let html = text
    .replaceAll("\u0000", "")
    .replace(/(`+)(.+?)\1(?!`)/g, (_, _ticks, code: string) =>
      keep(`<code>${escape(code.trim() || code)}</code>`),
    )
    .replace(/\\([\\`*_{}[\]()#+.!|<>~-])/g, (_, sign: string) => keep(escape(sign)))
    .replace(/<(https?:\/\/[^\s<>]+)>/g, (_, url: string) => keep(link(url, escape(url))));
  html = escape(html)
    .replace(/\[([^\]]+)\]\(([^()\s]+)\)/g, (_, words: string, url: string) => link(url, words))
    .replace(/\*\*(\S(?:.*?\S)?)\*\*/g, "<strong>$1</strong>")
    .replace(/\*(\S(?:[^*]*?\S)?)\*/g, "<em>$1</em>");
  return html.replace(/\u0000(\d+)\u0000/g, (_, number: string) => kept[Number(number)] ?? "");
}

/** Places on this page and on the web; other files of the repository are no pages here. */
function link(url: string, words: string): string {
  if (/^#[\w-]+$/.test(url)) return `<a href="${url}">${words}</a>`;
  if (/^https?:\/\//.test(url)) {
    return `<a href="${escape(url.replaceAll("&amp;", "&"))}" target="_blank" rel="noopener noreferrer">${words}</a>`;
  }
  return words;
}

interface Item {
  indent: number;
  ordered: boolean;
  lines: string[];
}

const MARKER = /^(\s*)([-*+]|\d+[.)])\s+(.*)$/;
const HEADING = /^(#{1,6})\s+(.*?)\s*#*$/;
const FENCE = /^\s*(`{3,}|~{3,})/;
const RULE = /^\s*([-*_])(\s*\1){2,}\s*$/;
const TABLE_LINE = /^\s*\|/;
const IMAGE = /^!\[([^\]]*)\]\(([^()\s]+)\)$/;
const CAPTION = /^\*([^*].*)\*$/;
const DIVIDER = /^\s*\|?\s*:?-+:?\s*(\|\s*:?-+:?\s*)*\|?\s*$/;

/** What the blocks of one text have in common. */
interface Book {
  heading(level: number, words: string): string;
  gallery: Gallery;
}

/** A text as HTML, with its headings for a table of contents. */
export function render(text: string, gallery: Gallery = () => null): Rendered {
  const headings: Heading[] = [];
  const used = new Map<string, number>();
  const heading = (level: number, words: string): string => {
    const base = slug(plain(words));
    const times = used.get(base) ?? 0;
    used.set(base, times + 1);
    const id = times ? `${base}-${times}` : base;
    headings.push({ level, id, text: plain(words) });
    return `<h${level} id="${id}">${inline(words)}</h${level}>`;
  };
  const lines = text.replace(/\r\n?/g, "\n").split("\n");
  return { html: blocks(lines, { heading, gallery }), headings };
}

function blocks(lines: string[], book: Book): string {
  const out: string[] = [];
  let at = 0;
  while (at < lines.length) {
    const line = lines[at]!;
    const title = line.match(HEADING);
    if (!line.trim()) {
      at++;
    } else if (FENCE.test(line)) {
      const fence = line.match(FENCE)![1]!;
      const code: string[] = [];
      for (at++; at < lines.length && !lines[at]!.trim().startsWith(fence); at++) code.push(lines[at]!);
      at++;
      out.push(`<pre tabindex="0"><code>${escape(code.join("\n"))}</code></pre>`);
    } else if (title) {
      out.push(book.heading(title[1]!.length, title[2]!));
      at++;
    } else if (RULE.test(line)) {
      out.push("<hr>");
      at++;
    } else if (TABLE_LINE.test(line) && DIVIDER.test(lines[at + 1] ?? "")) {
      const rows: string[] = [];
      for (; at < lines.length && TABLE_LINE.test(lines[at]!); at++) rows.push(lines[at]!);
      out.push(table(rows));
    } else if (MARKER.test(line)) {
      const [html, next] = list(lines, at, book);
      out.push(html);
      at = next;
    } else {
      const [words, next] = paragraph(lines, at);
      at = next;
      const image = words.match(IMAGE);
      if (!image) {
        out.push(`<p>${inline(words)}</p>`);
        continue;
      }
      // A paragraph that is emphasised as a whole tells what the picture before it shows.
      while (at < lines.length && !lines[at]!.trim()) at++;
      const [below, after] = paragraph(lines, at);
      const caption = below.match(CAPTION)?.[1] ?? "";
      if (caption) at = after;
      out.push(figure(image[1]!, book.gallery(image[2]!), caption));
    }
  }
  return out.join("\n");
}

/** The lines of a paragraph as one, and where it ends. */
function paragraph(lines: string[], from: number): [string, number] {
  const words: string[] = [];
  let at = from;
  for (; at < lines.length && lines[at]!.trim() && !begins(lines[at]!, words.length); at++) {
    words.push(lines[at]!.trim());
  }
  return [words.join(" "), at];
}

function figure(alt: string, picture: Picture | null, caption: string): string {
  const shown = picture
    ? `<img src="${escape(picture.src)}" alt="${escape(alt)}" width="${picture.width}" height="${picture.height}" loading="lazy" decoding="async">`
    : `<p>${escape(alt)}</p>`;
  const words = caption ? `<figcaption>${inline(caption)}</figcaption>` : "";
  return `<figure>${shown}${words}</figure>`;
}

/** Whether a line ends the paragraph before it. */
function begins(line: string, before: number): boolean {
  if (!before) return false;
  return HEADING.test(line) || FENCE.test(line) || /^\s{0,3}([-*+]|1[.)])\s+/.test(line);
}

function list(
  lines: string[],
  from: number,
  book: Book,
): [string, number] {
  const first = lines[from]!.match(MARKER)!;
  const indent = first[1]!.length;
  const ordered = /\d/.test(first[2]!);
  const items: Item[] = [];
  let at = from;
  while (at < lines.length) {
    const line = lines[at]!;
    const marker = line.match(MARKER);
    const inside = line.search(/\S/) > indent;
    if (marker && marker[1]!.length === indent && /\d/.test(marker[2]!) === ordered) {
      const width = line.length - marker[3]!.length;
      items.push({ indent: width, ordered, lines: [marker[3]!] });
    } else if (!line.trim()) {
      // A gap belongs to the list only if the list goes on after it.
      const next = lines.slice(at).find((later) => later.trim()) ?? "";
      const goes = next.search(/\S/) > indent || (next.match(MARKER)?.[1]?.length === indent && /\d/.test(next.match(MARKER)![2]!) === ordered);
      if (!goes) break;
      items.at(-1)!.lines.push("");
    } else if (inside) {
      const item = items.at(-1)!;
      const lead = Math.min(line.search(/\S/), item.indent);
      item.lines.push(line.slice(lead));
    } else {
      break;
    }
    at++;
  }
  const number = parseInt(first[2]!, 10);
  const start = ordered && number !== 1 ? ` start="${number}"` : "";
  const html = items.map((item) => `<li>${tight(blocks(item.lines, book))}</li>`).join("");
  return [ordered ? `<ol${start}>${html}</ol>` : `<ul>${html}</ul>`, at];
}

/** An item that begins with its only paragraph needs none around it. */
function tight(html: string): string {
  const paragraphs = html.match(/<p>/g)?.length ?? 0;
  return paragraphs === 1 ? html.replace(/^<p>(.*?)<\/p>/s, "$1") : html;
}

function cells(row: string): string[] {
  return row
    .trim()
    .replace(/^\|/, "")
    .replace(/\|$/, "")
    .split(/(?<!\\)\|/)
    .map((cell) => cell.trim());
}

function table(rows: string[]): string {
  const [head = "", , ...rest] = rows;
  const line = (row: string, tag: "th" | "td"): string =>
    `<tr>${cells(row)
      // A column without a title has no header.
      .map((cell) =>
        tag === "th" && cell ? `<th scope="col">${inline(cell)}</th>` : `<td>${inline(cell)}</td>`,
      )
      .join("")}</tr>`;
  const body = rest.map((row) => line(row, "td")).join("");
  return `<div class="table" tabindex="0"><table><thead>${line(head, "th")}</thead><tbody>${body}</tbody></table></div>`;
}
