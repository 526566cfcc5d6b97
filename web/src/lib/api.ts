// Requests to the server, and its problems in words.
import type { Problem } from "./types";

export class Refused extends Error {
  constructor(readonly problem: Problem) {
    super(problem.detail || problem.title);
  }
}

const AWAY: Problem = {
  title: "The server does not answer",
  status: 0,
  type: "away",
  detail: "The server does not answer. Nothing is lost; try again in a moment.",
};

async function ask<T>(method: string, path: string, body?: unknown): Promise<T> {
  let response: Response;
  try {
    const init: RequestInit = { method, headers: { Accept: "application/json" } };
    if (body !== undefined) {
      init.body = JSON.stringify(body);
      init.headers = { ...init.headers, "Content-Type": "application/json" };
    }
    response = await fetch(`/api/${path}`, init);
  } catch {
    throw new Refused(AWAY);
  }
  if (!response.ok) {
    let problem = AWAY;
    try {
      problem = (await response.json()) as Problem;
    } catch {
      // A proxy's page, most likely: the server itself is away.
    }
    throw new Refused(problem);
  }
  return (response.status === 204 ? undefined : await response.json()) as T;
}

export const get = <T>(path: string): Promise<T> => ask("GET", path);
export const post = <T>(path: string, body: unknown = {}): Promise<T> => ask("POST", path, body);
export const put = <T>(path: string, body: unknown): Promise<T> => ask("PUT", path, body);
export const remove = <T>(path: string): Promise<T> => ask("DELETE", path);

const kept = new Map<string, Promise<unknown>>();

/** What never changes while the page is open: rule sets and their boards. */
export function getOnce<T>(path: string): Promise<T> {
  let answer = kept.get(path);
  if (!answer) {
    answer = get<T>(path);
    kept.set(path, answer);
    answer.catch(() => kept.delete(path));
  }
  return answer as Promise<T>;
}
