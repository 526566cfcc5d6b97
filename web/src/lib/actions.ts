// Reading the texts of actions, as docs/formats.md lists them.  This is notation, not rules: which
// actions are legal only the server says.

export type ActionKind =
  | "move"
  | "capture"
  | "shoot"
  | "siege"
  | "swap"
  | "jump"
  | "drop"
  | "bring_out"
  | "promote"
  | "corner"
  | "end"
  | "pass";

export interface Action {
  text: string;
  kind: ActionKind;
  /** The square of the acting piece; null for what comes from beside the board, or for nobody. */
  origin: string | null;
  /** Where the acting piece ends, or the square that is chosen. */
  target: string | null;
  /** The squares that are struck. */
  victims: string[];
  /** The letter of a piece that is dropped or promoted to. */
  letter: string | null;
}

const SQUARE = "[a-z][0-9]+";
const FORMS: [RegExp, ActionKind, (m: RegExpMatchArray) => Partial<Action>][] = [
  [rx("(S)-(S)"), "move", (m) => ({ origin: m[1]!, target: m[2]! })],
  [rx("(S)x(S)"), "capture", (m) => ({ origin: m[1]!, target: m[2]!, victims: [m[2]!] })],
  [rx("(S)x(S)-(S)"), "capture", (m) => ({ origin: m[1]!, target: m[3]!, victims: [m[2]!] })],
  [rx("(S)x(S)x(S)"), "capture", (m) => ({ origin: m[1]!, target: m[3]!, victims: [m[2]!, m[3]!] })],
  [rx("(S)\\*(S)"), "shoot", (m) => ({ origin: m[1]!, target: m[1]!, victims: [m[2]!] })],
  [rx("(S)-(S)\\*(S)"), "siege", (m) => ({ origin: m[1]!, target: m[2]!, victims: [m[3]!] })],
  [rx("(S)~(S)"), "swap", (m) => ({ origin: m[1]!, target: m[2]! })],
  [rx("(S)\\^(S)"), "jump", (m) => ({ origin: m[1]!, target: m[2]! })],
  [rx("corner@(S)"), "corner", (m) => ({ target: m[1]! })],
  [rx("out@(S)"), "bring_out", (m) => ({ target: m[1]!, letter: "d" })],
  [rx("([a-z])@(S)"), "drop", (m) => ({ letter: m[1]!, target: m[2]! })],
  [rx("(S)=([a-z])"), "promote", (m) => ({ origin: m[1]!, target: m[1]!, letter: m[2]! })],
];

function rx(pattern: string): RegExp {
  return new RegExp(`^${pattern.replaceAll("S", SQUARE)}$`);
}

export function parseAction(text: string): Action {
  const nothing = { origin: null, target: null, victims: [], letter: null };
  if (text === "end" || text === "pass") return { text, kind: text, ...nothing };
  for (const [form, kind, parts] of FORMS) {
    const match = text.match(form);
    if (match) return { text, kind, ...nothing, ...parts(match) };
  }
  throw new Error(`unknown action ${text}`);
}

/** The square that a player taps to mean this action: what is struck, or where the piece goes. */
export function tapped(action: Action): string | null {
  const [victim] = action.victims;
  const elsewhere = victim !== undefined && !action.victims.includes(action.target ?? "");
  return elsewhere ? victim : action.target;
}

/** What is tapped first: a square, or a piece beside the board by its letter. */
export function source(action: Action): string | null {
  if (action.kind === "drop" || action.kind === "bring_out") return `@${action.letter}`;
  return action.origin;
}
