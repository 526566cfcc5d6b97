import { describe, expect, it } from "vitest";
import { CLOCKS, clocksFor, requestOf, usual } from "../../src/screens/choose";

describe("the request for a game", () => {
  it("is complete with nothing chosen: play now", () => {
    expect(requestOf(usual("croft"))).toEqual({
      rule_set: "croft",
      opponent: { kind: "bot", level: 1 },
      color: "lot",
      first: null,
      clock: { kind: "none" },
      public: false,
      take_backs: true,
      repetition: true,
      quiet: true,
    });
  });

  it("says what was chosen", () => {
    const choice = {
      ...usual("nine-tile", "friend"),
      color: "black" as const,
      first: "white" as const,
      clock: { kind: "days" as const, days: 3 },
      public: false,
      takeBacks: false,
      repetition: false,
      quiet: false,
    };
    expect(requestOf(choice)).toEqual({
      rule_set: "nine-tile",
      opponent: { kind: "friend" },
      color: "black",
      first: "white",
      clock: { kind: "days", days: 3 },
      public: false,
      take_backs: false,
      repetition: false,
      quiet: false,
    });
  });

  it("keeps an open seat public: nobody would find it otherwise", () => {
    expect(requestOf({ ...usual("croft", "anyone"), public: false }).public).toBe(true);
  });

  it("does not let a bot or one screen think for days", () => {
    const days = { kind: "days" as const, days: 7 };
    expect(requestOf({ ...usual("croft"), clock: days }).clock).toEqual({ kind: "none" });
    expect(clocksFor("same_screen").map((clock) => clock.kind)).not.toContain("days");
    expect(clocksFor("friend")).toEqual(CLOCKS);
  });

  it("has no colour to choose at one screen", () => {
    expect(requestOf({ ...usual("croft", "same_screen"), color: "black" }).color).toBe("white");
  });

  it("brings a good setup against a bot, and lets two people set up", () => {
    expect(usual("croft").setup).toBe("good");
    expect(usual("croft", "friend").setup).toBe("own");
  });
});
