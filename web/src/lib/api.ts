// Requests to the server, and its problems in words.
import { FINGERPRINT } from "../wire/tables";
import { firstAnswer } from "./first";
import { server } from "./server.svelte";
import type { Problem } from "./types";
import { words } from "./words";

export class Refused extends Error {
  constructor(readonly problem: Problem) {
    super(problem.detail || problem.title);
  }
}

/** What the server has against it, in its words; empty if it was done. */
export async function refusalOf(asked: Promise<unknown>): Promise<string> {
  try {
    await asked;
    return "";
  } catch (error) {
    if (error instanceof Refused) return error.message;
    throw error;
  }
}

const PATIENCE = 30_000;

/** Nobody is there, or something in between answers in the server's place. */
export const away = (detail: string = words.problem.awayWhy): Refused =>
  new Refused({ title: words.problem.away, status: 0, type: "away", detail });

async function ask<T>(method: string, path: string, body?: unknown): Promise<T> {
  let response: Response | undefined;
  let answer: unknown;
  try {
    const init: RequestInit = { method, headers: { Accept: "application/json" } };
    if ("timeout" in AbortSignal) init.signal = AbortSignal.timeout(PATIENCE);
    if (body !== undefined) {
      init.body = JSON.stringify(body);
      init.headers = { ...init.headers, "Content-Type": "application/json" };
    }
    response = await fetch(`/api/${path}`, init);
    answer = response.status === 204 ? undefined : await response.json();
  } catch (error) {
    // A proxy's page is no JSON; a connection that breaks is no answer at all.
    const refused = response && error instanceof SyntaxError ? fromProxy(response) : away();
    if (refused.problem.type === "away") server.lost();
    throw refused;
  }
  server.heard(response.headers.get(FINGERPRINT));
  if (response.ok) return answer as T;
  throw new Refused({ ...problemIn(answer, response.status), wait: waitOf(response) });
}

/** What a proxy means by its page. */
function fromProxy(response: Response): Refused {
  const { status } = response;
  const wait = waitOf(response);
  if (status === 429) {
    const detail = words.problem.oftenWhy(wait);
    return new Refused({ title: words.problem.often, status, type: "too-often", detail, wait });
  }
  if (status === 413) {
    const detail = words.problem.largeWhy;
    return new Refused({ title: words.problem.large, status, type: "too-large", detail });
  }
  return away();
}

function problemIn(answer: unknown, status: number): Problem {
  const problem = answer as Partial<Problem> | null;
  if (typeof problem === "object" && typeof problem?.title === "string") {
    return { ...problem, title: problem.title, status };
  }
  return { title: words.problem.title, status, detail: words.problem.unclear(status) };
}

function waitOf(response: Response): number {
  return Math.max(0, Number(response.headers.get("Retry-After")) || 0);
}

/** An answer that came with the page needs no journey. */
export async function get<T>(path: string): Promise<T> {
  return firstAnswer<T>(path) ?? (await ask<T>("GET", path));
}
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
