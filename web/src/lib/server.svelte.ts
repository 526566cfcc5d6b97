// Whether the server answers, what to do when it does again, and whether it has a newer page.
import { onMount } from "svelte";
import { fingerprint } from "./first";

const FIRST_PAUSE = 1_000;
const LONGEST_PAUSE = 15_000;
/** Whoever is lost again so soon was not really back. */
const STEADY = 30_000;

class Server {
  away = $state(false);
  /** When it is tried again, by this browser's clock. */
  nextTry = $state(0);
  /** The server was updated since this page was loaded. */
  updated = $state(false);
  /** Asks something small; whatever asks tells here whether there was an answer. */
  probe: () => Promise<unknown> = () => Promise.resolve();

  #pause = FIRST_PAUSE;
  #backAt = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #listeners = new Set<() => void>();

  constructor() {
    // Whoever comes back to the page, or out of the tunnel, does not want to wait.
    const now = (): void => {
      if (this.away && !document.hidden) this.retry();
    };
    addEventListener("online", now);
    document.addEventListener("visibilitychange", now);
  }

  /** It has answered, with the fingerprint of its page. */
  heard(page: string | null): void {
    if (page && fingerprint && page !== fingerprint) this.updated = true;
    if (!this.away) return;
    clearTimeout(this.#timer);
    this.away = false;
    this.#backAt = Date.now();
    for (const listener of [...this.#listeners]) listener();
  }

  /** It has not answered: it is tried again, in longer and longer pauses. */
  lost(): void {
    if (!this.away && Date.now() - this.#backAt > STEADY) this.#pause = FIRST_PAUSE;
    this.away = true;
    clearTimeout(this.#timer);
    this.nextTry = Date.now() + this.#pause;
    this.#timer = setTimeout(() => this.retry(), this.#pause);
    this.#pause = Math.min(LONGEST_PAUSE, this.#pause * 2);
  }

  retry(): void {
    clearTimeout(this.#timer);
    this.probe().catch(() => {}); // what is wrong was told by whoever asked
  }

  whenBack(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }
}

export const server = new Server();

/** For components: when the server is back, make current what is shown. */
export function onBack(listener: () => void): void {
  onMount(() => server.whenBack(listener));
}
