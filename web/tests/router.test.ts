import { describe, expect, it, vi } from "vitest";
import addresses from "../../src/cyvasse/server/addresses.json";
import { router } from "../src/lib/router.svelte";

vi.stubGlobal("scrollTo", () => {});

function at(path: string): [string | null, string] {
  router.go(path);
  return [router.place.name, router.place.id];
}

describe("addresses", () => {
  for (const [name, { paths }] of Object.entries(addresses)) {
    for (const path of paths) {
      it(`${path} leads to ${name}`, () => {
        const id = path.includes("{id}") ? "a b" : "";
        expect(at(path.replace("{id}", "a%20b"))).toEqual([name, id]);
        expect(at(`${path.replace("{id}", "a%20b")}?x=/y#/z`)).toEqual([name, id]);
      });
    }
  }

  it("lead nowhere if there is no such screen", () => {
    for (const path of ["/nowhere", "/game", "/game/x/y", "/lobby/x", "/toString", "/{id}"]) {
      expect(at(path), path).toEqual([null, ""]);
    }
    expect(at("/lobby/")).toEqual(["lobby", ""]);
  });
});
