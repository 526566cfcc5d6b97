// Who sits at this browser.
import { get } from "./api";
import { live } from "./live.svelte";
import { server } from "./server.svelte";
import type { Me } from "./types";
import { words } from "./words";

class Session {
  me = $state<Me | null>(null);
  /** Said when somebody has become somebody else, but not here. */
  notice = $state("");

  // All tabs of a browser are the same person.
  #tabs = "BroadcastChannel" in window ? new BroadcastChannel("cyvasse") : null;

  constructor() {
    server.probe = () => this.load();
    live.reopened = () => void this.load().catch(() => {});
    this.#tabs?.addEventListener("message", () => live.renew());
  }

  /** Ask who I am; the server may have forgotten, or another tab has signed out. */
  async load(): Promise<void> {
    const me = await get<Me>("me");
    const before = this.me;
    this.me = me;
    if (before && (before.name !== me.name || before.account !== me.account)) {
      this.notice = words.account.now(me.name, me.account);
      live.renew();
    }
  }

  /** Somebody else from now on: the websocket and the other tabs must know. */
  become(me: Me): void {
    this.me = me;
    this.notice = "";
    live.renew();
    this.#tabs?.postMessage("changed");
  }
}

export const session = new Session();
