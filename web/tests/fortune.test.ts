import { beforeEach, describe, expect, it } from "vitest";
import { began, ended, fortuneIn, isNew } from "../src/lib/fortune";
import { atOnce, usual } from "../src/screens/choose";

let number = 0;
/** Games at a level that are won, lost or drawn; the level that suits after each. */
const after = (level: number, ...results: (boolean | null)[]): number[] =>
  results.map((won) => {
    ended("croft", `game${number++}`, level, won, 10);
    return fortuneIn("croft").suits;
  });

beforeEach(() => localStorage.clear());

describe("a visitor's fortune", () => {
  it("begins with a gentle game in each rule set", () => {
    expect(atOnce("croft")).toMatchObject({ level: 1, color: "white", first: "white" });
    began("croft", "g");
    expect(fortuneIn("croft").first).toBe("g");
    expect(isNew("croft")).toBe(true); // it may have been left
    ended("croft", "g", 1, true, 10);
    expect(atOnce("croft")).toEqual(usual("croft"));
    expect(fortuneIn("croft").first).toBe("g");
    expect(atOnce("nine-tile")).toMatchObject({ color: "white" });
  });

  it("changes the level after two games in a row that went the same way", () => {
    expect(after(3, true, false, false)).toEqual([3, 3, 2]);
    expect(usual("croft").level).toBe(2);
    expect(after(2, false, true, true)).toEqual([2, 2, 3]);
    expect(after(3, true, null, true, true)).toEqual([3, 3, 3, 4]);
  });

  it("counts a game once, and only those at the same level together", () => {
    ended("croft", "same", 5, true, 10);
    ended("croft", "same", 5, true, 10);
    expect(fortuneIn("croft").suits).toBe(5);
    expect(after(4, true)).toEqual([4]);
  });

  it("never leads to a level that there is not", () => {
    expect(after(1, false, false, false)).toEqual([1, 1, 1]);
    expect(after(10, true, true, true)).toEqual([10, 10, 10]);
  });

  it("is fresh where what is kept cannot be meant", () => {
    const fresh = fortuneIn("croft");
    for (const text of ["{garbage", "7", '{"croft": {"level": "x"}}', '{"croft": {"suits": 0}}']) {
      localStorage.setItem("cyvasse-fortune", text);
      expect(fortuneIn("croft"), text).toEqual(fresh);
    }
  });
});
