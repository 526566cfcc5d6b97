import { cleanup, fireEvent, render, screen, waitFor } from "@testing-library/svelte";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { Refused } from "../src/lib/api";
import { live } from "../src/lib/live.svelte";
import { session } from "../src/lib/session.svelte";
import type { SetupDocument } from "../src/lib/types";
import { words } from "../src/lib/words";
import SetupScreen from "../src/setup/SetupScreen.svelte";
import { BRUSHES, gameWith, MARKS, rulesWith, setup, TILES } from "./setup-fixture";

// Pictures ask for the theme as soon as they are imported.
vi.hoisted(() =>
  vi.stubGlobal("matchMedia", () => ({ matches: false, addEventListener: () => {} })),
);

const say = words.setup;

/** A server that finds fault with every Rabble that is missing, and knows one place for all. */
class Server {
  drafts: Record<string, SetupDocument> = {};
  asked: string[] = [];
  good: Record<string, unknown> = {};
  /** While there is a list, answers to drafts wait in it until they are let go. */
  held: (() => void)[] | null = null;

  answer = async (path: string, init?: RequestInit): Promise<Response> => {
    const method = init?.method ?? "GET";
    const body = init?.body ? (JSON.parse(String(init.body)) as { setup: SetupDocument }) : null;
    this.asked.push(`${method} ${path}`);
    const { held } = this;
    if (held && method === "PUT") await new Promise<void>((go) => held.push(go));
    return new Response(JSON.stringify(this.find(method, path, body?.setup)));
  };

  find(method: string, path: string, doc: SetupDocument | undefined): unknown {
    const seat = path.split("/").at(-1)!;
    if (path.includes("/drafts/") && method === "PUT") this.drafts[seat] = doc!;
    if (path.includes("/drafts/")) return { setup: this.drafts[seat] ?? null };
    if (path.includes("/setup?"))
      return setup(this.good, path.includes("black") ? "black" : "white");
    if (path.endsWith("/places")) return ["b2"];
    if (path.endsWith("/check")) {
      const rabble = doc!.pieces.filter((piece) => piece.type === "rabble");
      const problems = [
        ...(rabble.length < 2
          ? [{ text: "A Rabble is still in the tray.", squares: [], thing: "rabble" }]
          : []),
        ...(doc!.gate === null ? [{ text: "There is no gate.", squares: [], thing: "tiles" }] : []),
        ...(rabble.some((piece) => piece.at === "b2")
          ? [{ text: "Not on b2.", squares: ["b2"], thing: "rabble" }]
          : []),
      ];
      return {
        setup: doc,
        text: "text",
        problems,
        scenery: { grounds: {}, features: [], stores: [] },
      };
    }
    return [];
  }
}

let server: Server;
let request: ReturnType<typeof vi.spyOn>;

beforeEach(() => {
  server = new Server();
  vi.stubGlobal("fetch", server.answer);
  request = vi
    .spyOn(live, "request")
    .mockResolvedValue({ type: "done", id: 1, game: "g", number: 2 });
  session.me = { name: "Ada", account: false, guesses: null };
});
afterEach(() => {
  cleanup();
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
});

async function open(tools = MARKS, change = {}, fields: Record<string, unknown> = {}) {
  server.good = { mountains: ["b1"], keep: "c1", dragon_waits: true, ...fields };
  const shown = render(SetupScreen, { game: gameWith(change), rules: rulesWith(tools) });
  await screen.findByRole("application");
  return shown;
}
const board = () => screen.getByRole("application");
const pieces = () => board().querySelectorAll(".pieces .piece");
const press = (...keys: string[]) =>
  keys.reduce(
    (before, key) => before.then(() => fireEvent.keyDown(board(), { key }).then(() => {})),
    Promise.resolve(),
  );
/** Walk to a square, listening to where the keys are. */
async function walk(to: string): Promise<void> {
  for (let step = 0; step < 9; step++) {
    const here = document.querySelector(".spoken")!.textContent!;
    if (here.startsWith(to)) return;
    const aside = to.charCodeAt(0) - here.charCodeAt(0);
    if (aside) await press(aside > 0 ? "ArrowRight" : "ArrowLeft");
    else await press(to[1]! > here[1]! ? "ArrowUp" : "ArrowDown");
  }
  throw new Error(`no way to ${to}`);
}

describe("the setup screen", () => {
  it("opens with a good setup and keeps it as a draft", async () => {
    await open();
    expect(pieces()).toHaveLength(3); // two pieces and the keep
    await waitFor(() => expect(server.drafts.white?.pieces).toHaveLength(2));
  });

  it("opens with the draft where there is one", async () => {
    server.drafts.white = {
      ...setup({ mountains: [], keep: null, dragon_waits: true }),
      pieces: [],
    };
    await open();
    expect(pieces()).toHaveLength(0);
    expect(server.asked.some((each) => each.includes("/setup?"))).toBe(false);
  });

  it("can be arranged by keys alone", async () => {
    await open();
    const rabble = screen.getByRole("button", { name: say.item("Rabble", 1, false) });
    await fireEvent.click(rabble, { detail: 0 });
    expect(document.activeElement).toBe(board());
    await walk("b2");
    await press("Enter");
    expect(pieces()).toHaveLength(4);
    expect(await screen.findByText("Not on b2.")).toBeTruthy();
    expect(board().querySelector(".badge.problem text")?.textContent).toBe("1");
    await press("Delete");
    expect(pieces()).toHaveLength(3);
    await fireEvent.click(screen.getByRole("button", { name: say.undo }));
    expect(pieces()).toHaveLength(4);
  });

  it("puts several of a kind, but takes nothing away that was not meant", async () => {
    await open(MARKS, {}, { mountains: [] });
    await fireEvent.click(screen.getByRole("button", { name: say.item("Mountain", 2, false) }), {
      detail: 0,
    });
    await walk("b2");
    await press("Enter");
    await walk("a1");
    await press("Enter"); // the King is chosen, no mountain put in his place
    expect(board().querySelectorAll(".selected")).toHaveLength(1);
    expect(screen.getByRole("button", { name: say.item("King", 0, false) })).toBeTruthy();
    await fireEvent.click(screen.getByRole("button", { name: say.item("Mountain", 1, false) }), {
      detail: 0,
    });
    await press("Enter"); // now it is meant
    expect(screen.getByRole("button", { name: say.item("King", 1, false) })).toBeTruthy();
  });

  it("walks to the tray and along it, and undoes, by keys", async () => {
    await open();
    board().focus();
    await press("t");
    expect(document.activeElement?.getAttribute("aria-label")).toBe(say.item("Rabble", 1, false));
    await fireEvent.keyDown(document.activeElement!, { key: "ArrowLeft" });
    expect(document.activeElement?.getAttribute("aria-label")).toBe(say.item("Mountain", 1, false));
    await fireEvent.keyDown(document.activeElement!, { key: "ArrowRight" });
    expect(document.activeElement?.getAttribute("aria-label")).toBe(say.item("Rabble", 1, false));
    board().focus();
    await walk("a1");
    await press("Delete");
    expect(pieces()).toHaveLength(2);
    await fireEvent.keyDown(board(), { key: "z", ctrlKey: true });
    expect(pieces()).toHaveLength(3);
  });

  it("leads from a problem to its square", async () => {
    server.drafts.white = setup({ mountains: [], keep: null, dragon_waits: true });
    server.drafts.white.pieces[1]!.at = "b2";
    await open();
    await fireEvent.click(await screen.findByRole("button", { name: "Not on b2." }));
    expect(document.activeElement).toBe(board());
    expect(document.querySelector(".spoken")!.textContent).toContain("b2");
  });

  it("leads from a problem to what is missing, its card and its places", async () => {
    await open();
    expect(screen.queryByRole("heading", { name: "Rabble" })).toBeNull();
    await fireEvent.click(
      await screen.findByRole("button", { name: "A Rabble is still in the tray." }),
    );
    expect(document.activeElement).toBe(board());
    expect(screen.getByText(say.inHand("Rabble"))).toBeTruthy();
    expect(screen.getByRole("heading", { name: "Rabble" })).toBeTruthy();
    await waitFor(() => expect(board().querySelectorAll(".dot")).toHaveLength(1));
    await press("Escape");
    await waitFor(() => expect(board().querySelectorAll(".dot")).toHaveLength(0));
  });

  it("leads from a tile in the tray to the tiles", async () => {
    await open([TILES], {}, { gate: null, tiles: {} });
    await fireEvent.click(await screen.findByRole("button", { name: "There is no gate." }));
    expect(screen.getByRole("button", { name: say.tile("1") })).toBeTruthy();
    expect(document.activeElement?.textContent?.trim()).toBe("Left");
  });

  it("clears the board beside undoing it", async () => {
    await open();
    await fireEvent.click(screen.getByRole("button", { name: say.clear }));
    expect(pieces()).toHaveLength(0);
    await fireEvent.click(screen.getByRole("button", { name: say.undo }));
    expect(pieces()).toHaveLength(3);
  });

  it("says what is missing instead of being ready, then is ready", async () => {
    await open();
    await screen.findByText("A Rabble is still in the tray.");
    await fireEvent.click(screen.getByRole("button", { name: say.ready }));
    expect(document.activeElement?.textContent).toBe(say.before);
    expect(request).not.toHaveBeenCalled();
    await fireEvent.click(screen.getByRole("button", { name: /^Rabble/ }), { detail: 0 });
    await walk("d1");
    await press("Enter");
    await screen.findByText(new RegExp(say.legal));
    await fireEvent.click(screen.getByRole("button", { name: say.ready }));
    await waitFor(() => expect(request).toHaveBeenCalled());
    const [sent] = request.mock.calls[0] as [
      { command: { do: string; seat: string; setup: SetupDocument } },
    ];
    expect([sent.command.do, sent.command.seat]).toEqual(["submit", "white"]);
    expect(sent.command.setup.pieces).toContainEqual({ type: "rabble", at: "d1" });
  });

  /** A setup that the server finds no fault with. */
  async function openLegal() {
    const white = setup({ mountains: ["b1"], keep: "c1", dragon_waits: true });
    white.pieces.push({ type: "rabble", at: "d1" });
    server.drafts.white = white;
    const shown = await open();
    await screen.findByText(new RegExp(say.legal));
    return { shown, white };
  }

  /** One whose draft under way is answered only when the test lets it. */
  async function savedSlowly(): Promise<(() => void)[]> {
    const held: (() => void)[] = [];
    server.held = held;
    await openLegal();
    await fireEvent.click(screen.getByRole("button", { name: say.mirror }));
    await waitFor(() => expect(held).toHaveLength(1), { timeout: 3000 });
    return held;
  }

  it("is ready only when the draft under way has arrived", async () => {
    const [arrive] = await savedSlowly();
    const ready = screen.getByRole<HTMLButtonElement>("button", { name: say.ready });
    await fireEvent.click(ready);
    expect(ready.disabled).toBe(true); // a second press is not another one
    await Promise.resolve();
    expect(request).not.toHaveBeenCalled();
    request.mockImplementation(() => {
      expect(server.drafts.white!.keep).toBe("b1");
      return Promise.resolve({ type: "done", id: 1, game: "g", number: 2 });
    });
    arrive!();
    await waitFor(() => expect(request).toHaveBeenCalledTimes(1));
    expect((request.mock.calls[0] as [{ command: { do: string } }])[0].command.do).toBe("submit");
  });

  it("lets no draft follow the setup, until it was refused", async () => {
    const held = await savedSlowly();
    let refuse = () => {};
    request.mockImplementation(
      () =>
        new Promise((_, reject) => {
          refuse = () =>
            reject(new Refused({ title: "No", status: 422, detail: "Not like this." }));
        }),
    );
    await fireEvent.click(screen.getByRole("button", { name: say.ready }));
    vi.useFakeTimers();
    try {
      await fireEvent.click(screen.getByRole("button", { name: say.undo })); // meanwhile it changes
      held[0]!();
      await vi.advanceTimersByTimeAsync(60_000);
      expect(request).toHaveBeenCalledTimes(1);
      expect(held).toHaveLength(1);
      refuse();
      await vi.advanceTimersByTimeAsync(1_000);
    } finally {
      vi.useRealTimers();
    }
    expect(screen.getByText("Not like this.")).toBeTruthy();
    expect(held).toHaveLength(2);
    held[1]!();
    await waitFor(() => expect(server.drafts.white!.keep).toBe("c1"));
  });

  it("keeps a draft that is not ready, also when Ready was pressed", async () => {
    await open();
    await screen.findByText("A Rabble is still in the tray.");
    await fireEvent.click(screen.getByRole("button", { name: say.mirror }));
    await fireEvent.click(screen.getByRole("button", { name: say.ready }));
    expect(document.activeElement?.textContent).toBe(say.before);
    await waitFor(() => expect(server.drafts.white!.keep).toBe("b1"), { timeout: 3000 });
  });

  it("keeps what is changed after having been ready", async () => {
    const { standing } = gameWith();
    const { shown, white } = await openLegal();
    await fireEvent.click(screen.getByRole("button", { name: say.ready }));
    await waitFor(() => expect(request).toHaveBeenCalledTimes(1));
    const change = (ready: boolean) =>
      shown.rerender({
        game: gameWith({
          standing: { ...standing, ready: { white: ready, black: false } },
          setups: ready ? { white } : {},
        }),
      });
    await change(true);
    await change(false);
    await fireEvent.click(screen.getByRole("button", { name: say.mirror }));
    await waitFor(() => expect(server.drafts.white!.keep).toBe("b1"), { timeout: 3000 });
  });

  it("lays grounds with brushes", async () => {
    await open(BRUSHES, {}, { mountains: undefined, keep: undefined, dragon_waits: undefined });
    await fireEvent.click(screen.getByRole("button", { name: say.ground }));
    await fireEvent.click(screen.getByRole("button", { name: say.brush("Water", 1) }), {
      detail: 0,
    });
    await walk("b2");
    await press("Enter");
    expect(screen.getByRole("button", { name: say.brush("Water", 0) })).toBeTruthy();
    expect(board().querySelectorAll('.grounds use[href="#ground-water"]')).toHaveLength(1);
  });

  it("turns and exchanges tiles", async () => {
    await open([TILES], {}, { gate: "left", tiles: { R: "1", S: "2" } });
    await fireEvent.click(screen.getByRole("button", { name: "Tiles" }));
    await walk("b1");
    expect(document.querySelector(".spoken")!.textContent).toContain(say.tile("1"));
    await press("Enter", "Enter");
    await waitFor(() => expect(server.drafts.white?.tiles).toEqual({ R: "1t", S: "2" }), {
      timeout: 3000,
    });
    await press("ArrowUp", "Enter");
    await fireEvent.click(screen.getByRole("button", { name: "Right" }));
    await waitFor(() => expect(server.drafts.white?.tiles).toEqual({ P: "2", Q: "1t" }), {
      timeout: 3000,
    });
  });

  it("fills in another setup than the one that stands there", async () => {
    await open();
    const drawn = [server.good, server.good, { ...server.good, keep: "c2" }];
    server.find = new Proxy(server.find, {
      apply: (find, self: Server, [method, path, doc]: Parameters<Server["find"]>) => {
        if (path.includes("/setup?")) server.good = drawn.shift() ?? server.good;
        return Reflect.apply(find, self, [method, path, doc]) as unknown;
      },
    });
    await fireEvent.click(screen.getByRole("button", { name: say.good }));
    await waitFor(() => expect(server.drafts.white?.keep).toBe("c2"), { timeout: 3000 });
    expect(drawn).toEqual([]);
  });

  it("lets who is ready change it again", async () => {
    const standing = { ...gameWith().standing, ready: { white: true, black: false } };
    await open(MARKS, { standing, setups: { white: setup({ mountains: [], keep: null }) } });
    expect(screen.queryByRole("button", { name: say.ready })).toBeNull();
    await fireEvent.click(screen.getByRole("button", { name: say.change }));
    expect(request.mock.calls[0]?.[0]).toMatchObject({
      command: { do: "withdraw", seat: "white" },
    });
  });

  it("shows the invitation as a link", async () => {
    const standing = { ...gameWith().standing, status: "open" as const, black: null };
    await open(MARKS, { standing, invitation: "word" });
    expect(screen.getByDisplayValue(`${location.origin}/game/g#join=word`)).toBeTruthy();
  });

  it("shows no setup to those who watch", () => {
    render(SetupScreen, { game: gameWith({ you: [] }), rules: rulesWith(MARKS) });
    expect(screen.queryByRole("application")).toBeNull();
    expect(server.asked).toEqual([]);
  });
});

describe("one screen for two", () => {
  it("draws the curtain between the setups", async () => {
    const you = ["white" as const, "black" as const];
    const shown = await open(MARKS, { you });
    expect(screen.getByText(say.titleOf("Toy Cyvasse", "white"))).toBeTruthy();
    const ready = { white: true, black: false };
    await shown.rerender({ game: gameWith({ you, standing: { ...gameWith().standing, ready } }) });
    expect(screen.queryByRole("application")).toBeNull();
    expect(document.body.innerHTML).not.toContain("piece white");
    server.asked = [];
    await fireEvent.click(screen.getByRole("button", { name: say.handOverGo("black") }));
    await screen.findByRole("application");
    expect(document.body.innerHTML).not.toContain("piece white");
    expect(server.asked.filter((each) => each.includes("white"))).toEqual([]);
    await fireEvent.click(screen.getByRole("button", { name: say.more }));
    expect(screen.queryByLabelText(say.saveAs)).toBeNull();
  });
});
