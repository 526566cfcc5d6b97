// Where in the page one is: addresses without a framework.
import addresses from "../../../src/cyvasse/server/addresses.json";

/** The screens of the page, by the list from which the server knows their addresses too. */
export type ScreenName = keyof typeof addresses;

export interface Place {
  /** Null where there is nothing. */
  name: ScreenName | null;
  id: string;
  query: URLSearchParams;
  /** Never sent to a server: an invitation's word stands here. */
  secret: string;
}

/** A part of an address as it was meant; what was cut off in the middle of a sign stays as it is. */
export function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

const words = (path: string): string[] => path.split("/").filter(Boolean);

/** The screen at an address, and which one of its things. */
function found(address: string[]): Pick<Place, "name" | "id"> {
  for (const [name, { paths }] of Object.entries(addresses)) {
    for (const pattern of paths.map(words)) {
      const fits = pattern.every((word, at) => word === "{id}" || word === address[at]);
      if (!fits || pattern.length !== address.length) continue;
      return { name: name as ScreenName, id: address[pattern.indexOf("{id}")] ?? "" };
    }
  }
  return { name: null, id: "" };
}

/** The address of a screen that needs no more. */
export const pathOf = (name: ScreenName): string => addresses[name].paths[0]!;

function read(): Place {
  return {
    ...found(words(location.pathname).map(decoded)),
    query: new URLSearchParams(location.search),
    secret: location.hash.slice(1),
  };
}

class Router {
  place = $state(read());

  constructor() {
    addEventListener("popstate", () => this.#moved());
  }

  go(path: string, replace = false): void {
    if (replace) history.replaceState(null, "", path);
    else history.pushState(null, "", path);
    this.#moved();
    scrollTo(0, 0);
  }

  #moved(): void {
    this.place = read();
  }
}

export const router = new Router();

/** For links: follow them inside the page, but let new tabs and windows be. */
export function follow(event: MouseEvent): void {
  const link = (event.target as Element | null)?.closest("a");
  const plain = !event.defaultPrevented && event.button === 0;
  const modified = event.metaKey || event.ctrlKey || event.shiftKey || event.altKey;
  if (!link || !plain || modified || link.target || link.hasAttribute("download")) return;
  const url = new URL(link.href, location.href);
  if (url.origin !== location.origin || url.pathname.startsWith("/api/")) return;
  event.preventDefault();
  router.go(url.pathname + url.search + url.hash);
}
