// Where in the page one is: addresses without a framework.

export interface Place {
  name: string;
  id: string;
  extra: string;
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

function read(): Place {
  const [name = "", id = "", extra = ""] = location.pathname
    .split("/")
    .filter(Boolean)
    .map(decoded);
  return {
    name: name || "home",
    id,
    extra,
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
