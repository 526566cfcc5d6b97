// What the server says, in its own words: src/cyvasse/server defines them, `make wire` brings them here.
import type * as wire from "../wire/types";

export type * from "../wire/types";
export type {
  Because as Reason,
  Place as ProblemPlace,
  Rate as Clock,
} from "../wire/types";

/** What is in the way, as the server says it, or as the page finds out by itself. */
export interface Problem extends Omit<wire.ProblemDocument, "type"> {
  type?: wire.ProblemDocument["type"] | "away" | "updated";
  /** For how many seconds the server wants to be left alone, as a header of its answer says. */
  wait?: number;
}

export interface Failed extends Omit<wire.Failed, "problem"> {
  problem: Problem;
}
export type Message = Exclude<wire.AnyMessage, wire.Failed> | Failed;

export type Seat = wire.Seat;

/** What a player may do in a word. */
export type Deed = Exclude<wire.AnyCommand, wire.Play | wire.PlayTurn | wire.Submit>["do"];

export function other(seat: Seat): Seat {
  return seat === "white" ? "black" : "white";
}
