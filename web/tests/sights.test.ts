// What layers show is asked for once a board, and only when somebody looks.
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { Sights } from "../src/game/sights.svelte";
import type { Ahead } from "../src/game/table.svelte";
import { parseAction } from "../src/lib/actions";
import type { BoardView, Sight } from "../src/lib/types";

const SIGHT: Sight = { name: "tiers", values: { a1: "2" }, lines: [], told: {} };
let asked: string[];
let answer: () => Promise<Response>;

beforeEach(() => {
  asked = [];
  answer = () => Promise.resolve(new Response(JSON.stringify([SIGHT])));
  vi.stubGlobal("fetch", (path: string) => {
    asked.push(path);
    return answer();
  });
});
afterEach(() => vi.unstubAllGlobals());

const settled = (): Promise<void> => new Promise((done) => setTimeout(done));

it("is not asked for while nobody looks", async () => {
  const sights = new Sights();
  for (const played of [[], ["a1-a2"], ["a1-a2", "b1-b2"]]) sights.board("g", played, null, false);
  await settled();
  expect([asked, sights.shown]).toEqual([[], []]);
});

it("is asked for once a board", async () => {
  const sights = new Sights();
  const played = ["a1-a2"];
  sights.board("g", played, null, true);
  sights.board("g", played, null, false);
  sights.board("g", played, null, true);
  await settled();
  expect([asked, sights.shown]).toEqual([["/api/games/g/layers?"], [SIGHT]]);
  sights.board("g", [...played, "b1-b2"], null, false); // nobody looks at this one
  expect([asked.length, sights.shown]).toEqual([1, []]);
});

it("is of the board with what is held back", async () => {
  const sights = new Sights();
  const held: Ahead = { actions: [parseAction("a1xb2")], board: {} as BoardView, ply: 0 };
  sights.board("g", [], held, true);
  await settled();
  expect(asked).toEqual(["/api/games/g/layers?held=a1xb2"]);
});

it("is of an earlier board that is looked at", async () => {
  const sights = new Sights();
  const held: Ahead = { actions: [parseAction("a1xb2")], board: {} as BoardView, ply: 0 };
  const played = ["a1-a2", "b1-b2"];
  for (const ply of [null, 1, 1, 0]) sights.board("g", played, held, true, ply);
  await settled();
  expect(asked.slice(1)).toEqual(["/api/games/g/layers?ply=1", "/api/games/g/layers?ply=0"]);
});

it("shows nothing of a board that is gone", async () => {
  const sights = new Sights();
  const late: (() => void)[] = [];
  answer = () =>
    new Promise((done) => late.push(() => done(new Response(JSON.stringify([SIGHT])))));
  sights.board("g", [], null, true);
  sights.board("g", ["a1-a2"], null, false);
  late[0]!();
  await settled();
  expect(sights.shown).toEqual([]);
});

it("is asked for again where there was no answer", async () => {
  const sights = new Sights();
  const played: string[] = [];
  answer = () => Promise.resolve(new Response(JSON.stringify({ title: "no" }), { status: 503 }));
  sights.board("g", played, null, true);
  await settled();
  expect(sights.shown).toEqual([]);
  sights.board("g", played, null, true);
  expect(asked).toHaveLength(2);
});
