// What can be chosen for a new game, and the request that follows from it.
import { fortuneIn, isNew } from "../lib/fortune";
import type { Clock, NewGame, Seat } from "../lib/types";

export type OpponentKind = NewGame["opponent"]["kind"];

export const CLOCKS: Clock[] = [
  { kind: "none" },
  { kind: "fischer", seconds: 300, increment: 5 },
  { kind: "fischer", seconds: 600, increment: 5 },
  { kind: "fischer", seconds: 1800, increment: 20 },
  { kind: "days", days: 1 },
  { kind: "days", days: 3 },
  { kind: "days", days: 7 },
];

export interface Choice {
  ruleSet: string;
  opponent: OpponentKind;
  level: number;
  color: Seat | "lot";
  first: Seat | "lot";
  clock: Clock;
  setup: "good" | "own";
  public: boolean;
  takeBacks: boolean;
  repetition: boolean;
  quiet: boolean;
}

/** Whether others see a game unless it is said: who plays a bot, or at one screen, is by himself. */
export function seen(opponent: OpponentKind): boolean {
  return opponent !== "bot" && opponent !== "same_screen";
}

/** What is chosen at first: a bot of a level that suits, colour by lot, no clock, a good setup. */
export function usual(ruleSet: string, opponent: OpponentKind = "bot"): Choice {
  return {
    ruleSet,
    opponent,
    level: fortuneIn(ruleSet).suits,
    color: "lot",
    first: "lot",
    clock: { kind: "none" },
    setup: opponent === "bot" ? "good" : "own",
    public: seen(opponent),
    takeBacks: true,
    repetition: true,
    quiet: true,
  };
}

/** Play now: the usual game; a newcomer's first is White against the weakest bot, and begins. */
export function atOnce(ruleSet: string): Choice {
  const choice = usual(ruleSet);
  return isNew(ruleSet) ? { ...choice, level: 1, color: "white", first: "white" } : choice;
}

/** Against a bot and at one screen nobody waits for days. */
export function clocksFor(opponent: OpponentKind): Clock[] {
  const together = opponent === "bot" || opponent === "same_screen";
  return CLOCKS.filter((clock) => !together || clock.kind !== "days");
}

/** The request for a game; what the opponent makes meaningless is left at its usual value. */
export function requestOf(choice: Choice): NewGame {
  const { opponent } = choice;
  const fits = clocksFor(opponent).some((clock) => sameClock(clock, choice.clock));
  return {
    rule_set: choice.ruleSet,
    opponent: opponent === "bot" ? { kind: "bot", level: choice.level } : { kind: opponent },
    color: opponent === "same_screen" ? "white" : choice.color,
    // Null leaves it to the rule set, which draws lots where it has no rule.
    first: choice.first === "lot" ? null : choice.first,
    clock: fits ? choice.clock : { kind: "none" },
    // Only public seats stand in the lobby.
    public: opponent === "anyone" || choice.public,
    take_backs: choice.takeBacks,
    repetition: choice.repetition,
    quiet: choice.quiet,
  };
}

export function sameClock(one: Clock, two: Clock): boolean {
  return JSON.stringify(one) === JSON.stringify(two);
}
