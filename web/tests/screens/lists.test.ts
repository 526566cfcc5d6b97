import { fireEvent, render, screen, waitFor } from "@testing-library/svelte";
import { describe, expect, it } from "vitest";
import type { Listed } from "../../src/lib/types";
import { inOrder, joined, lifted, stateOf, timeOf, titleOf } from "../../src/screens/lists";
import { answerWith, furnish } from "./server";

furnish();
const { default: GameList } = await import("../../src/screens/GameList.svelte");
const { Paged } = await import("../../src/screens/paged.svelte");

function game(id: string, some: Partial<Listed> = {}): Listed {
  return {
    game: id,
    rule_set: "croft",
    status: "playing",
    white: { name: "Ada", bot: null },
    black: { name: "Bot, level 2", bot: 2 },
    turn: "white",
    agreement: { clock: { kind: "none" }, shared: false } as Listed["agreement"],
    number: 3,
    created_at: 0,
    updated_at: 0,
    finished_at: null,
    result: null,
    end: null,
    deadline: null,
    you: ["white"],
    your_turn: false,
    ...some,
  };
}

const MINUTE = 60_000;
const ids = (games: readonly Listed[]): string => games.map((each) => each.game).join(" ");

describe("the order of my games", () => {
  it("begins with what waits for me, the most urgent first", () => {
    const games = [
      game("theirs", { updated_at: 9 }),
      game("mine", { your_turn: true, updated_at: 1 }),
      game("newer", { your_turn: true, updated_at: 2 }),
      game("soon", { your_turn: true, deadline: 100 }),
      game("sooner", { your_turn: true, deadline: 50 }),
      game("old", { updated_at: 1, deadline: 5 }),
    ];
    expect(ids(inOrder(games))).toBe("sooner soon newer mine theirs old");
    expect(ids(games).startsWith("theirs")).toBe(true);
  });

  it("meets no game twice over pages", () => {
    expect(ids(joined([game("a"), game("b")], [game("b"), game("c")]))).toBe("a b c");
  });
});

describe("what a line says", () => {
  it("names the other player, or both to those who watch", () => {
    expect(titleOf(game("a"))).toBe("Bot, level 2");
    expect(titleOf(game("a", { you: [] }))).toBe("Ada – Bot, level 2");
    const shared = { ...game("a").agreement, shared: true };
    expect(titleOf(game("a", { you: ["white", "black"], agreement: shared }))).toBe("Same screen");
  });

  it("tells the state from where one sits", () => {
    expect(stateOf(game("a", { your_turn: true }))).toBe("your turn");
    expect(stateOf(game("a"))).toBe("their turn");
    expect(stateOf(game("a", { you: [] }))).toBe("White to act");
    expect(stateOf(game("a", { status: "open" }))).toBe("waiting for an opponent");
    const over = { status: "finished", result: "0-1" } as const;
    expect(stateOf(game("a", over))).toBe("you lost");
    expect(stateOf(game("a", { ...over, you: ["black"] }))).toBe("you won");
    expect(stateOf(game("a", { ...over, you: [] }))).toBe("Black won");
    expect(stateOf(game("a", { ...over, result: "1/2-1/2" }))).toBe("draw");
    expect(stateOf(game("a", { status: "aborted" }))).toBe("called off");
  });

  it("puts deadlines in words, and never less than nothing", () => {
    const left = (milliseconds: number): string => timeOf(game("a", { deadline: milliseconds }), 0);
    expect(left(-5)).toBe("less than a minute left");
    expect(left(90 * 1000)).toBe("1 minute left");
    expect(left(119 * MINUTE)).toBe("119 minutes left");
    expect(left(5 * 60 * MINUTE)).toBe("5 hours left");
    expect(left(72 * 60 * MINUTE)).toBe("3 days left");
    expect(timeOf(game("a", { finished_at: 0, updated_at: 5 }), 60 * MINUTE)).toBe("an hour ago");
  });

  it("shows no board while the screen stands", () => {
    expect(lifted(game("a"))).toBe(true);
    for (const status of ["open", "setup", "aborted"] as const) {
      expect(lifted(game("a", { status }))).toBe(false);
    }
  });
});

describe("a list in pages", () => {
  const page = (games: Listed[], next: string | null): unknown => ({ games, next });

  it("grows when asked for more", async () => {
    const asked = answerWith({
      "GET /api/games?kind=live": page([game("a")], "1.a"),
      "GET /api/games?kind=live&after=1.a": page([game("a"), game("b")], null),
    });
    const list = new Paged();
    await list.load("games?kind=live");
    render(GameList, { list, label: "Games", empty: "none" });
    expect(screen.getAllByRole("link")).toHaveLength(1);
    await fireEvent.click(screen.getByText("Show more"));
    await waitFor(() => expect(screen.getAllByRole("link")).toHaveLength(2));
    expect(screen.queryByText("Show more")).toBeNull();
    expect(asked.at(-1)?.path).toContain("after=1.a");
  });

  it("says that there is nothing", async () => {
    answerWith({ "GET /api/games?kind=live": page([], null) });
    const list = new Paged();
    await list.load("games?kind=live");
    render(GameList, { list, label: "Games", empty: "Nobody plays." });
    expect(screen.getByText("Nobody plays.")).toBeTruthy();
  });

  it("says what is wrong, and tries again", async () => {
    answerWith({});
    const list = new Paged();
    await list.load("games?kind=live");
    render(GameList, { list, label: "Games", empty: "none" });
    expect(screen.getByRole("alert").textContent).toContain("nothing at GET");
    answerWith({ "GET /api/games?kind=live": page([game("a")], null) });
    await fireEvent.click(screen.getByText("Try again"));
    expect(await screen.findByRole("link")).toBeTruthy();
    expect(screen.queryByRole("alert")).toBeNull();
  });
});
