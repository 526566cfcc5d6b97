// Parts of the page that are fetched when they are needed, or before, when there is nothing to do.
import type { Component } from "svelte";
import { get, Refused } from "./api";
import { server } from "./server.svelte";
import type { Problem } from "./types";
import { words } from "./words";

export class Part<P extends Record<string, unknown>> {
  component = $state.raw<Component<P> | null>(null);
  problem = $state.raw<Problem | null>(null);
  #loading: Promise<void> | null = null;

  constructor(private readonly fetch: () => Promise<{ default: Component<P> }>) {}

  load = (): Promise<void> => {
    this.problem = null;
    this.#loading ??= this.#load().finally(() => (this.#loading = null));
    return this.#loading;
  };

  async #load(): Promise<void> {
    if (this.component) return;
    try {
      this.component = (await this.fetch()).default;
    } catch {
      this.problem = await whyMissing();
    }
  }
}

/** Why a file of the page did not come: the server is away, or it was updated and has it no more. */
export async function whyMissing(): Promise<Problem> {
  try {
    await get("me");
  } catch (error) {
    if (error instanceof Refused) return error.problem;
  }
  server.updated = true;
  return {
    title: words.problem.updated,
    status: 404,
    type: "updated",
    detail: words.problem.updatedWhy,
  };
}
