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

const CHOICES: Partial<Record<keyof Settings, readonly unknown[]>> = {
  theme: ["auto", "light", "dark"],
  style: ["usual", "hexagons"],
  notation: ["squares", "letters", "figures"],
};

/** Whether a value that was kept can still be meant: other versions, or hands, may have written it. */
function fits(key: keyof Settings, value: unknown): boolean {
  const usual = USUAL[key];
  if (key === "layer") return value === null || typeof value === "string";
  if (CHOICES[key]) return CHOICES[key].includes(value);
  if (Array.isArray(usual)) return Array.isArray(value) && value.every((each) => typeof each === "string");
  if (typeof usual === "number") return typeof value === "number" && value >= 0 && value <= 1;
  return typeof value === typeof usual;
}

export function load(): Settings {
  const settings: Settings = { ...USUAL, blocked: [] };
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(KEY) ?? "{}");
    if (typeof kept !== "object" || !kept) return settings;
    const good = Object.entries(kept).filter(([key, value]) => key in USUAL && fits(key as keyof Settings, value));
    return Object.assign(settings, Object.fromEntries(good));
  } catch {
    return settings; // nothing was kept, or this browser does not let us look
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
