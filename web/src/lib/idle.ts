// Work that can wait until nobody waits for anything else.

const LATEST = 1_000;

/** Do something when there is nothing else to do, and soon in any case. */
export function whenIdle(work: () => void): void {
  if ("requestIdleCallback" in window) requestIdleCallback(work, { timeout: LATEST });
  else setTimeout(work, 200); // Safari
}
