import { render, screen, waitFor } from "@testing-library/svelte";
import { describe, expect, it } from "vitest";
import { answerWith, furnish } from "./server";

furnish();
const { default: RulesText } = await import("../../src/screens/RulesText.svelte");
const built = import.meta.glob<string>("../../../build/rules/*.json", {
  query: "?url",
  import: "default",
  eager: true,
});
const pages = await Promise.all(
  Object.values(built).map(async (address) => [address, await (await fetch(address)).json()]),
);

const hop = {
  html: '<h2 id="board">Board</h2><p>Nine squares.</p>',
  chapters: [
    { id: "board", text: "Board" },
    { id: "play", text: "Play" },
    { id: "end", text: "End" },
  ],
};

describe("the text of the rules", () => {
  it("comes with the page for our own rule sets", async () => {
    expect(pages).not.toHaveLength(0);
    const asked = answerWith(
      Object.fromEntries(pages.map(([address, page]) => [`GET ${address}`, page])),
    );
    for (const path of Object.keys(built)) {
      const id = path.replace(/.*\/|\.json$/g, "");
      const { container, unmount } = render(RulesText, { id });
      await waitFor(() =>
        expect(container.querySelectorAll("article h2").length).toBeGreaterThan(3),
      );
      const places = [...container.querySelectorAll("nav a")].map(
        (link) => link.getAttribute("href")!,
      );
      expect(places.length).toBe(container.querySelectorAll("article h2").length);
      for (const place of places)
        expect(container.querySelector(`article ${place}`)).not.toBeNull();
      for (const image of container.querySelectorAll("article img")) {
        expect(image.getAttribute("src")).toMatch(/\.svg.*#cyvasse-light$/);
      }
      unmount();
    }
    expect(asked.map(({ path }) => path)).toEqual(Object.values(built));
  });

  it("comes from the server for others", async () => {
    answerWith({ "GET /api/rules/hop/page": hop });
    render(RulesText, { id: "hop" });
    expect(await screen.findByText("Nine squares.")).toBeTruthy();
    expect(screen.getAllByRole("link").map((link) => link.getAttribute("href"))).toEqual([
      "#board",
      "#play",
      "#end",
    ]);
  });

  it("is missed in words where there is none", async () => {
    answerWith({});
    render(RulesText, { id: "skip" });
    expect(await screen.findByText("There is no text for this rule set yet.")).toBeTruthy();
  });
});
