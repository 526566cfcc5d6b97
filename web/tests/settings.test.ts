import { beforeEach, describe, expect, it } from "vitest";
import { LIST, load } from "../src/lib/settings.svelte";

const usual = Object.fromEntries(Object.entries(LIST).map(([name, { usual }]) => [name, usual]));
const keep = (text: string): void => localStorage.setItem("cyvasse-settings", text);

const components = import.meta.glob<string>("../src/**/*.svelte", {
  query: "?raw",
  import: "default",
  eager: true,
});

describe("settings", () => {
  beforeEach(() => localStorage.clear());

  it("can each be changed somewhere in the page", () => {
    const page = Object.values(components).join();
    const changed = (name: string): boolean =>
      ["bind:value={", "bind:checked={", ""].some((by) =>
        page.includes(`${by}settings.${name}${by ? "}" : " ="}`),
      );
    const elsewhere = ["blocked"]; // by block()
    const unchanged = Object.keys(LIST).filter((name) => !changed(name));
    expect(unchanged, "nothing in the page changes these").toEqual(elsewhere);
  });

  it("are the usual ones at first, and where nothing can be read", () => {
    expect(load()).toEqual(usual);
    for (const text of ["{garbage", "null", "7", '"x"', "[1]"]) {
      keep(text);
      expect(load(), text).toEqual(usual);
    }
  });

  it("are what was kept, as far as it can be meant", () => {
    const other: Record<string, unknown> = {
      theme: "dark",
      style: "hexagons",
      coordinates: false,
      notation: "figures",
      sound: false,
      volume: 0,
      animation: false,
      confirm: true,
      questions: false,
      notify: true,
      layer: "takes",
      blocked: ["Ann"],
    };
    const same = Object.keys(LIST).filter((name) => (other[name] ?? usual[name]) === usual[name]);
    expect(same, "`other` needs an example of these that is not the usual one").toEqual([]);
    keep(JSON.stringify({ ...other, unknown: 1 }));
    expect(load()).toEqual(other);
    const wrong = {
      theme: "purple",
      sound: 1,
      volume: 2,
      layer: 3,
      blocked: ["Ann", 4],
      toString: 5,
    };
    keep(JSON.stringify({ ...other, ...wrong }));
    const { theme, sound, volume, layer, blocked } = LIST;
    expect(load()).toEqual({
      ...other,
      theme: theme.usual,
      sound: sound.usual,
      volume: volume.usual,
      layer: layer.usual,
      blocked: blocked.usual,
    });
  });
});
