// How this visitor has fared against the bots: kept in this browser, one entry for each rule set.

export interface Fortune {
  /** The game with which it begins: a gentle one, with a coach. */
  first: string | null;
  /** The last game that has ended. */
  over: string | null;
  /** The bot's level in it. */
  level: number;
  /** How many were won in a row at that level; lost ones count downwards. */
  run: number;
  /** The level that suits now. */
  suits: number;
}

const KEY = "cyvasse-fortune";
/** So many in a row, and another level suits better. */
const ROW = 2;
const FRESH: Fortune = { first: null, over: null, level: 1, run: 0, suits: 1 };

function all(): Record<string, Partial<Fortune>> {
  try {
    return Object(JSON.parse(localStorage.getItem(KEY) ?? "{}"));
  } catch {
    return {}; // nothing was kept, or this browser does not let us look
  }
}

export function fortuneIn(ruleSet: string): Fortune {
  const found = { ...FRESH, ...all()[ruleSet] };
  const whole = [found.level, found.run, found.suits].every(Number.isInteger);
  return whole && found.suits > 0 ? found : FRESH;
}

/** Whether no game against a bot has been played to its end yet. */
export const isNew = (ruleSet: string): boolean => fortuneIn(ruleSet).over === null;

function keep(ruleSet: string, fortune: Fortune): void {
  try {
    localStorage.setItem(KEY, JSON.stringify({ ...all(), [ruleSet]: fortune }));
  } catch {
    // Private windows may refuse; then every game is the first.
  }
}

/** A newcomer's first game has begun. */
export function began(ruleSet: string, game: string): void {
  keep(ruleSet, { ...fortuneIn(ruleSet), first: game });
}

/** A game against a bot has ended; `won` is null for a draw. */
export function ended(
  ruleSet: string,
  game: string,
  level: number,
  won: boolean | null,
  levels: number,
): void {
  const before = fortuneIn(ruleSet);
  if (before.over === game) return; // another tab has said so
  const same = level === before.level ? before.run : 0;
  const run = won === null ? 0 : won ? Math.max(same, 0) + 1 : Math.min(same, 0) - 1;
  const step = run >= ROW ? 1 : run <= -ROW ? -1 : 0;
  const suits = Math.min(Math.max(level + step, 1), levels);
  keep(ruleSet, { ...before, over: game, level, run, suits });
}
