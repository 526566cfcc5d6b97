import { parse } from "svelte/compiler";
import { expect, it } from "vitest";

const components = import.meta.glob<string>("../src/**/*.svelte", {
  query: "?raw",
  import: "default",
  eager: true,
});
// Attributes that people read or hear, of elements and of our components.
const READ = /^(alt|placeholder|title|aria-label|aria-valuetext|about|label|lead|legend|text)$/;

/** What a component says by itself, between its tags and in such attributes. */
function texts(node: unknown): string[] {
  if (typeof node !== "object" || node === null) return [];
  const { type, name, data } = node as { type?: string; name?: string; data?: string };
  if (type === "Text") return [data!.trim()];
  if (type === "StyleDirective" || (type === "Attribute" && !READ.test(name!))) return [];
  return Object.values(node).flatMap(texts);
}

it("texts stand in words.ts, not in a component", () => {
  const found = Object.entries(components).flatMap(([file, source]) =>
    texts(parse(source, { modern: true }).fragment)
      .filter((text) => /\p{L}{2}/u.test(text))
      .map((text) => `${file}: ${text}`),
  );
  expect(found).toEqual([]);
});
