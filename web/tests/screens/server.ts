// A server that answers from a table and remembers what it was asked.
import { vi } from "vitest";

export interface Asked {
  method: string;
  path: string;
  body: unknown;
}

export function answerWith(table: Record<string, unknown>): Asked[] {
  const asked: Asked[] = [];
  vi.stubGlobal("fetch", (path: string, init: RequestInit = {}) => {
    const method = init.method ?? "GET";
    asked.push({ method, path, body: init.body ? JSON.parse(String(init.body)) : null });
    const answer = table[`${method} ${path}`];
    const problem = { title: "Unknown", status: 404, detail: `nothing at ${method} ${path}` };
    return Promise.resolve(
      new Response(JSON.stringify(answer ?? problem), { status: answer === undefined ? 404 : 200 }),
    );
  });
  return asked;
}

/** What jsdom does not have. */
export function furnish(): void {
  vi.stubGlobal("matchMedia", () => ({ matches: false, addEventListener: () => {} }));
  vi.stubGlobal("scrollTo", () => {});
  HTMLDialogElement.prototype.showModal = function (): void {
    this.open = true;
  };
  HTMLDialogElement.prototype.close = function (): void {
    this.open = false;
    this.dispatchEvent(new Event("close"));
  };
}
