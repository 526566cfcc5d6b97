// What the server says, as docs/server.md describes it.
import type { Tool } from "../setup/tools";

export type Seat = "white" | "black";

export interface PieceAt {
  type: string;
  color: Seat;
  at: string;
  waiting?: boolean;
}

export interface Feature {
  kind: string;
  squares: string[];
  color: Seat | null;
  direction: string | null;
}

export interface Store {
  kind: "reserve" | "lost";
  color: Seat;
  pieces: Record<string, number>;
}

export interface Scenery {
  features: Feature[];
  stores: Store[];
  grounds?: Record<string, string>;
}

export interface PositionDocument {
  pieces: PieceAt[];
  terrain: Record<string, string>;
  to_move: Seat;
  [field: string]: unknown;
}

export interface SetupDocument {
  rule_set: string;
  color: Seat;
  pieces: { type: string; at: string }[];
  terrain: Record<string, string>;
  [field: string]: unknown;
}

export interface BoardView {
  position: PositionDocument;
  scenery: Scenery;
  turn: Seat;
  in_turn: boolean;
  ply: number;
  legal_actions: string[];
}

/** Numbers beside pieces and lines between them, to be shown on demand. */
export interface Layer {
  name: string;
  title: string;
  about: string;
  values: Record<string, string>;
  lines: [string, string][];
}

export interface Turn {
  color: Seat;
  actions: string[];
}

export type Clock =
  | { kind: "none" }
  | { kind: "fischer"; seconds: number; increment: number }
  | { kind: "days"; days: number };

export interface Agreement {
  rule_set: string;
  clock: Clock;
  setup_seconds: number | null;
  first: Seat | "lot" | null;
  public: boolean;
  repetition: boolean;
  quiet: boolean;
  take_backs: boolean;
  shared: boolean;
  imported: boolean;
  position: string | null;
}

export interface Clocks {
  white: number | null;
  black: number | null;
  running: Seat | null;
  now: number;
}

export interface Chair {
  name: string;
  bot: number | null;
}

export type Status = "open" | "setup" | "playing" | "finished" | "aborted";

export interface Standing {
  status: Status;
  white: Chair | null;
  black: Chair | null;
  ready: Record<Seat, boolean>;
  clocks: Clocks;
  deadline: number | null;
  outcome: { result: string; end: string } | null;
  aborted: string | null;
  offered: Seat | null;
  asked: Seat | null;
  rematch_asked: Seat | null;
  rematch: string | null;
}

export interface Fact {
  kind: string;
  seat?: Seat;
  action?: string;
  ply?: number;
  first?: Seat;
  game?: string;
  reason?: string;
}

export interface NumberedFact {
  number: number;
  at: number;
  fact: Fact;
}

export interface GameView extends Partial<BoardView> {
  rule_set: string;
  viewer: string;
  ready: Record<Seat, boolean>;
  screen_lifted: boolean;
  setups: Partial<Record<Seat, SetupDocument>>;
  text?: string;
  actions?: string[];
  turns?: Turn[];
}

export interface Snapshot {
  type: "snapshot";
  game: string;
  number: number;
  you: Seat[];
  agreement: Agreement;
  created_at: number;
  standing: Standing;
  view: GameView;
  tags: Record<string, string>;
  invitation: string | null;
  by_invitation: boolean;
}

export interface Update {
  type: "update";
  game: string;
  number: number;
  facts: NumberedFact[];
  standing: Standing;
  board?: BoardView;
  setups?: Record<Seat, SetupDocument>;
}

export interface Current {
  type: "current";
  game: string;
  number: number;
  clocks: Clocks;
}

export interface Presence {
  type: "presence";
  game: string;
  white: boolean;
  black: boolean;
  spectators: number;
}

export interface Remark {
  number: number;
  at: number;
  name: string;
  text: string;
  seat: Seat | null;
}

export interface Chat {
  type: "chat";
  game: string;
  room: "players" | "spectators";
  remarks: Remark[];
}

export interface OpenSeat {
  game: string;
  rule_set: string;
  by: string;
  seat: Seat;
  agreement: Agreement;
  created_at: number;
}

export interface LobbyState {
  type: "lobby";
  seats: OpenSeat[];
}

export interface Done {
  type: "done";
  id: number;
  game: string | null;
  number: number | null;
}

export interface ProblemPlace {
  text: string;
  squares: string[];
}

export interface Problem {
  title: string;
  status: number;
  detail?: string;
  type?: string;
  problems?: ProblemPlace[];
  number?: number | null;
  /** For how many seconds the server wants to be left alone. */
  wait?: number;
  /** The board as it would be, if a turn is not played yet. */
  board?: BoardView;
}

export interface Failed {
  type: "problem";
  id: number;
  problem: Problem;
}

export type Message =
  | Snapshot
  | Update
  | Current
  | Presence
  | Chat
  | LobbyState
  | Done
  | Failed
  | { type: "pong"; id: number; now: number };

export interface Me {
  name: string;
  account: boolean;
}

export interface RuleSetLine {
  id: string;
  title: string;
  author: string;
  summary: string;
  squares: number;
  levels: number;
}

export interface SquareShape {
  name: string;
  x: number;
  y: number;
  ground: string;
  home: Seat | null;
}

export interface BoardStyle {
  name: string;
  outline: [number, number][];
  squares: SquareShape[];
}

export interface PieceKind {
  name: string;
  title: string;
  letter: string;
  count: number;
  about: string;
}

export interface RuleSetPage {
  id: string;
  title: string;
  author: string;
  summary: string;
  first_player: Seat | null;
  pieces: PieceKind[];
  terrain: Record<string, string>;
  styles: BoardStyle[];
  setups: Record<string, SetupDocument>;
  /** What each player's setups are arranged with beyond pieces. */
  tools: Record<Seat, Tool[]>;
}

export interface Listed {
  game: string;
  rule_set: string;
  status: Status;
  white: Chair | null;
  black: Chair | null;
  turn: Seat | null;
  agreement: Agreement;
  number: number;
  created_at: number;
  updated_at: number;
  finished_at: number | null;
  result: string | null;
  end: string | null;
  deadline: number | null;
  you: Seat[];
  your_turn: boolean;
}

export interface Page {
  games: Listed[];
  next: string | null;
}

export function other(seat: Seat): Seat {
  return seat === "white" ? "black" : "white";
}
