// Reading the texts of actions.  How each kind is written the table says; this is notation, not rules:
// which actions are legal only the server says.
import { ACTIONS, SQUARE } from "../wire/tables";

type ActionKind = (typeof ACTIONS)[number]["kind"];

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

type Part = "origin" | "target" | "victim" | "piece";

interface Kind {
  kind: ActionKind;
  text: string;
  words: string;
  staying?: string;
  struck?: readonly Part[];
  stands?: Part;
  piece?: string;
}

const KINDS = ACTIONS.map((kind: Kind) => ({ ...kind, form: formOf(kind.text) }));

function formOf(text: string): RegExp {
  const signs = text.replace(/[^\w{}]/g, "\\$&");
  const form = signs.replace(
    /{(\w+)}/g,
    (_, part: Part) => `(?<${part}>${part === "piece" ? "[a-z]" : SQUARE})`,
  );
  return new RegExp(`^${form}$`);
}

export function parseAction(text: string): Action {
  for (const { kind, form, struck = [], stands, piece } of KINDS) {
    const found = form.exec(text);
    if (!found) continue;
    const parts: Partial<Record<Part, string>> = { ...(piece && { piece }), ...found.groups };
    const stays = stands && parts[stands];
    return {
      text,
      kind,
      origin: stays ?? parts.origin ?? null,
      target: stays ?? parts.target ?? null,
      victims: struck.map((part) => parts[part]!),
      letter: parts.piece ?? null,
    };
  }
  throw new Error(`unknown action ${text}`);
}

/** An action as a player would say it; `piece` is what its letter stands for. */
export function said({ kind, origin, target, victims }: Action, piece: string): string {
  const { words, staying } = KINDS.find((each) => each.kind === kind)!;
  const parts: Record<string, string | null | undefined> = { target, victim: victims[0], piece };
  const form = (target === origin && staying) || words;
  return form.replace(/{(\w+)}/g, (_, part: string) => parts[part] ?? "");
}

/** Whether something is struck from afar: the sign of that is a star. */
export const isShot = (action: Action): boolean => action.text.includes("*");

/** Actions that are held back, as a question to the server names them. */
export const asHeld = (actions: Action[] = []): string[] =>
  actions.map(({ text }) => `held=${encodeURIComponent(text)}`);

/** The square that a player taps to mean this action: what is struck, or where the piece goes. */
export function tapped(action: Action): string | null {
  const [victim] = action.victims;
  const elsewhere = victim !== undefined && !action.victims.includes(action.target ?? "");
  return elsewhere ? victim : action.target;
}

/** What is tapped first: a square, or a piece beside the board by its letter. */
export function source(action: Action): string | null {
  return action.letter !== null && action.origin === null ? `@${action.letter}` : action.origin;
}
