// A bot's answer waits until the own piece has come to rest, and a moment longer.
import { beforeEach, describe, expect, it, vi } from "vitest";
import { Pace } from "../src/game/pace";

let told: string[];
let pace: Pace<string>;

beforeEach(() => {
  vi.useFakeTimers();
  told = [];
  pace = new Pace((message) => told.push(message));
  return () => vi.useRealTimers();
});

describe("a bot's answer", () => {
  it("comes at once to who has done nothing", () => {
    pace.rested();
    pace.pass("answer", true);
    expect(told).toEqual(["answer"]);
  });

  it("waits while something moves, and 0.6 seconds more", () => {
    pace.began();
    pace.pass("own", false);
    pace.pass("answer", true);
    vi.advanceTimersByTime(10_000);
    expect(told).toEqual(["own"]);
    pace.rested();
    vi.advanceTimersByTime(599);
    expect(told).toEqual(["own"]);
    vi.advanceTimersByTime(1);
    expect(told).toEqual(["own", "answer"]);
  });

  it("waits anew when something moves again", () => {
    pace.began();
    pace.rested();
    pace.pass("answer", true);
    vi.advanceTimersByTime(500);
    pace.moved();
    vi.advanceTimersByTime(500);
    expect(told).toEqual([]);
    pace.rested();
    vi.advanceTimersByTime(600);
    expect(told).toEqual(["answer"]);
  });

  it("is not overtaken by what comes after it", () => {
    pace.began();
    pace.pass("answer", true);
    pace.pass("after", false);
    expect(told).toEqual([]);
    pace.free();
    expect(told).toEqual(["answer", "after"]);
  });

  it("is dropped when everything is told anew", () => {
    pace.began();
    pace.pass("answer", true);
    pace.forget();
    pace.pass("all", false);
    expect(told).toEqual(["all"]);
  });
});
