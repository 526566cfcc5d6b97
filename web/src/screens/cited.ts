// Where a rules text says what an explanation cites, such as "croft D9" or "nine-tile, Capture".

/** The place that a citation or the title of a piece means, or null. */
export function placeOf(text: Element, cited: string): HTMLElement | null {
  const words = cited.replace(/^[a-z-]+,? (?=[A-Z])/, "");
  const place = words.toLowerCase().replaceAll(" ", "-");
  const find = <T extends Element>(what: string, fits: (found: T) => boolean): T | undefined =>
    [...text.querySelectorAll<T>(what)].find(fits);
  return (
    find<HTMLElement>("[id]", ({ id }) => id === place) ??
    find<HTMLElement>("[id]", ({ id }) => id.startsWith(place)) ??
    find<HTMLElement>("p strong", ({ textContent }) => textContent.startsWith(words)) ??
    find<HTMLElement>("td", ({ textContent }) => textContent === words) ??
    null
  );
}
