// What a person likes, kept in this browser.

export interface Settings {
  theme: "auto" | "light" | "dark";
  style: "usual" | "hexagons";
  coordinates: boolean;
  /** How actions are written: by squares alone, with the piece's letter, or with its drawing. */
  notation: "squares" | "letters" | "figures";
  sound: boolean;
  volume: number;
  animation: boolean;
  confirm: boolean;
  notify: boolean;
  /** What the board shows beside the pieces. */
  layer: string | null;
  /** People whose remarks and open seats are not shown, in any game. */
  blocked: string[];
}

const KEY = "cyvasse-settings";
const USUAL: Settings = {
  theme: "auto",
  style: "usual",
  coordinates: true,
  notation: "squares",
  sound: true,
  volume: 0.6,
  animation: true,
  confirm: false,
  notify: false,
  layer: null,
  blocked: [],
};

function load(): Settings {
  try {
    return { ...USUAL, ...(JSON.parse(localStorage.getItem(KEY) ?? "{}") as Partial<Settings>) };
  } catch {
    return { ...USUAL };
  }
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
