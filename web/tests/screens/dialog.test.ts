import { fireEvent, render, screen, waitFor } from "@testing-library/svelte";
import { beforeEach, describe, expect, it, vi } from "vitest";
import type { RuleSetLine } from "../../src/lib/types";
import { answerWith, furnish } from "./server";

furnish();
const { default: ChooseDialog } = await import("../../src/screens/ChooseDialog.svelte");

const rules: RuleSetLine[] = [
  {
    id: "one",
    title: "One",
    author: "",
    summary: "",
    squares: 9,
    hexagons: false,
    turns: null,
    difficulty: 0,
    levels: 8,
    quiet_turns: 100,
  },
  {
    id: "two",
    title: "Two",
    author: "",
    summary: "",
    squares: 9,
    hexagons: false,
    turns: null,
    difficulty: 0,
    levels: 8,
    quiet_turns: 70,
  },
];
const setup = { rule_set: "one", color: "black", pieces: [], terrain: {} };
const table = {
  "GET /api/rules/one": { id: "one", first_player: null },
  "GET /api/rules/two": { id: "two", first_player: "white" },
  "POST /api/games": { game: "g1", seat: "black", invitation: null },
  "GET /api/rules/one/setup?color=black&kind=good": setup,
  "POST /api/games/g1/commands": { type: "done" },
};

describe("the dialog for a new game", () => {
  beforeEach(() => history.replaceState(null, "", "/"));

  it("begins a game against a bot and brings a good setup", async () => {
    const asked = answerWith(table);
    render(ChooseDialog, { rules, ruleSet: "one", onclose: () => {} });
    await fireEvent.click(screen.getByLabelText("Black", { selector: "[name]:not(details *)" }));
    await fireEvent.click(screen.getByLabelText("10 + 5"));
    await fireEvent.click(screen.getByText("Start"));
    await waitFor(() => expect(location.pathname).toBe("/game/g1"));
    const posts = asked.filter(({ method }) => method === "POST");
    expect(posts[0]?.body).toMatchObject({
      rule_set: "one",
      opponent: { kind: "bot", level: 1 },
      color: "black",
      first: null,
      clock: { kind: "fischer", seconds: 600, increment: 5 },
    });
    expect(posts[1]?.body).toEqual({ do: "submit", setup, seat: "black" });
  });

  it("leaves the setup to whoever wants to build it", async () => {
    const asked = answerWith(table);
    render(ChooseDialog, { rules, opponent: "friend", onclose: () => {} });
    await fireEvent.click(screen.getByText("Start"));
    await waitFor(() => expect(location.pathname).toBe("/game/g1"));
    const posts = asked.filter(({ method }) => method === "POST");
    expect(posts).toHaveLength(1);
    expect(posts[0]?.body).toMatchObject({ rule_set: "one", opponent: { kind: "friend" } });
  });

  it("does not ask who starts where the rules say it", async () => {
    answerWith(table);
    const { unmount } = render(ChooseDialog, { rules, ruleSet: "one", onclose: () => {} });
    expect(await screen.findByText("Who starts")).toBeTruthy();
    unmount();
    render(ChooseDialog, { rules, ruleSet: "two", onclose: () => {} });
    await new Promise((later) => setTimeout(later, 20));
    expect(screen.queryByText("Who starts")).toBeNull();
  });

  it("tells when a game without progress is drawn", () => {
    answerWith(table);
    render(ChooseDialog, { rules, ruleSet: "two", onclose: () => {} });
    expect(screen.getByLabelText("70 turns without progress draw")).toBeTruthy();
  });

  it("drops days when a bot is chosen after all", async () => {
    const asked = answerWith(table);
    render(ChooseDialog, { rules, ruleSet: "one", opponent: "friend", onclose: () => {} });
    await fireEvent.click(screen.getByLabelText("3 days a turn"));
    await fireEvent.click(screen.getByLabelText("Bot"));
    await fireEvent.click(screen.getByText("Start"));
    await waitFor(() => expect(location.pathname).toBe("/game/g1"));
    expect(asked.find(({ method }) => method === "POST")?.body).toMatchObject({
      clock: { kind: "none" },
    });
  });

  it("says why there is no game, and stays", async () => {
    answerWith({});
    const onclose = vi.fn();
    render(ChooseDialog, { rules, ruleSet: "one", onclose });
    await fireEvent.click(screen.getByText("Start"));
    expect((await screen.findByRole("alert")).textContent).toContain("nothing at POST");
    expect(location.pathname).toBe("/");
    await fireEvent.click(screen.getByText("Cancel"));
    expect(onclose).toHaveBeenCalledOnce();
  });
});
