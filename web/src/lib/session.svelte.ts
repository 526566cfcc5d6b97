// Who sits at this browser.
import { get } from "./api";
import { live } from "./live.svelte";
import type { Me } from "./types";

class Session {
  me = $state<Me | null>(null);

  async load(): Promise<void> {
    this.me = await get<Me>("me");
  }

  /** Somebody else from now on: the websocket must say so too. */
  become(me: Me): void {
    this.me = me;
    live.renew();
  }
}

export const session = new Session();
