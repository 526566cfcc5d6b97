// Which theme is shown, for pictures that the page's style sheet does not reach.
import { settings } from "../lib/settings.svelte";

const dark = matchMedia("(prefers-color-scheme: dark)");
let system = $state<"light" | "dark">(dark.matches ? "dark" : "light");
dark.addEventListener("change", () => (system = dark.matches ? "dark" : "light"));

export const themeShown = (): "light" | "dark" =>
  settings.theme === "auto" ? system : settings.theme;

/** The address at which a picture that knows both themes shows one, whatever the system prefers. */
export const inTheme = (src: string, theme: "light" | "dark"): string =>
  `${src.replace(/#.*$/, "")}#cyvasse-${theme}`;
