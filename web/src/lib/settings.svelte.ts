// What a person likes, kept in this browser.  This is the one list of it.

/** What a setting usually is, and whether a value that was kept can still be meant: other versions,
 * or hands, may have written it. */
interface Setting<T> {
  usual: T;
  fits: (value: unknown) => boolean;
}

const flag = (usual: boolean): Setting<boolean> => ({
  usual,
  fits: (value) => typeof value === "boolean",
});

/** One of a few, the first if nobody has said. */
function choice<const T extends string>(usual: T, ...others: T[]): Setting<T> & { options: T[] } {
  const options = [usual, ...others];
  return { usual, options, fits: (value) => options.includes(value as T) };
}

const isText = (value: unknown): boolean => typeof value === "string";

export const LIST = {
  theme: choice("auto", "light", "dark"),
  style: choice("usual", "hexagons"),
  coordinates: flag(true),
  /** How actions are written: by squares alone, with the piece's letter, or with its drawing. */
  notation: choice("squares", "letters", "figures"),
  sound: flag(true),
  volume: {
    usual: 0.6,
    fits: (value) => typeof value === "number" && value >= 0 && value <= 1,
  } as Setting<number>,
  animation: flag(true),
  confirm: flag(false),
  /** Whether it is asked first before an action that gives the King away. */
  questions: flag(true),
  notify: flag(false),
  /** What the board shows beside the pieces. */
  layer: { usual: null, fits: (value) => value === null || isText(value) } as Setting<
    string | null
  >,
  /** People whose remarks and open seats are not shown, in any game. */
  blocked: {
    usual: [],
    fits: (value) => Array.isArray(value) && value.every(isText),
  } as Setting<string[]>,
};

export type Settings = { [Name in keyof typeof LIST]: (typeof LIST)[Name]["usual"] };

const KEY = "cyvasse-settings";

export function load(): Settings {
  let kept: Record<string, unknown> = {};
  try {
    kept = Object(JSON.parse(localStorage.getItem(KEY) ?? "{}")) as Record<string, unknown>;
  } catch {
    // nothing was kept, or this browser does not let us look
  }
  const entries = Object.entries(LIST).map(([name, { usual, fits }]) => {
    const value = Object.hasOwn(kept, name) ? kept[name] : usual;
    return [name, fits(value) ? value : usual];
  });
  return Object.fromEntries(entries) as Settings;
}

export const settings = $state<Settings>(load());

/** Never hear of somebody again, or do. */
export function block(name: string, blocked = true): void {
  settings.blocked = settings.blocked.filter((each) => each !== name);
  if (blocked) settings.blocked = [...settings.blocked, name];
  keep();
}

export function keep(): void {
  try {
    localStorage.setItem(KEY, JSON.stringify(settings));
  } catch {
    // Private windows may refuse; then it holds for this visit.
  }
  const root = document.documentElement;
  if (settings.theme === "auto") delete root.dataset.theme;
  else root.dataset.theme = settings.theme;
}

/** Whether things may move: the setting, and what the system asks for. */
export function moves(): boolean {
  return settings.animation && !matchMedia("(prefers-reduced-motion: reduce)").matches;
}
