import { cleanup, fireEvent, render } from "@testing-library/svelte";
import { type ComponentProps, tick } from "svelte";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import Board from "../src/board/Board.svelte";
import { drawingOf, symbols } from "../src/board/drawings";
import { layout } from "../src/board/geometry";
import { type Marks, NO_MARKS } from "../src/board/marks";
import { words } from "../src/lib/words";
import { PIECES } from "../src/wire/tables";
import { boards, furnishDrawing, onScreen, type RealBoard, realBoard } from "./boards";

beforeEach(furnishDrawing);
afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

type Props = ComponentProps<typeof Board>;

/** A board on the screen, and everything it tells. */
function show(real: RealBoard, more: Partial<Props> = {}, quiet = false) {
  const told: string[] = [];
  const props: Props = {
    ...real,
    label: "A board",
    ...(quiet ? {} : { ontap: (square: string) => told.push(`tap ${square}`) }),
    onlift: (from) => told.push(`lift ${from}`),
    ondrag: (from, to) => told.push(`drag ${from} ${to}`),
    onescape: () => told.push("escape"),
    ...more,
  };
  const { container, rerender, component } = render(Board, props);
  const svg = container.querySelector<SVGSVGElement>("svg.board")!;
  const plan = layout(real.style, props.bottom ?? "white");
  const at = (square: string, aside = 0) => {
    const placed = plan.by.get(square)!;
    return onScreen(placed.x + aside, placed.y - aside);
  };
  const pointer = (kind: "Down" | "Move" | "Up" | "Cancel", place: object, type = "mouse") =>
    fireEvent(
      svg,
      new PointerEvent(`pointer${kind.toLowerCase()}`, {
        bubbles: true,
        button: 0,
        pointerType: type,
        ...place,
      }),
    );
  return {
    svg,
    told,
    component,
    rerender: (change: Partial<Props>) => rerender({ ...props, ...change }),
    all: (selector: string) => [...svg.querySelectorAll(selector)],
    spoken: () => container.querySelector("[aria-live]")!.textContent,
    at,
    pointer,
    tap: async (square: string, aside = 0) => {
      await pointer("Down", at(square, aside));
      await pointer("Up", at(square, aside));
    },
    drag: async (from: string, to: object, type = "mouse") => {
      await pointer("Down", at(from), type);
      await pointer("Move", to, type);
      await pointer("Up", to, type);
    },
    press: async (...keys: string[]) => {
      for (const key of keys) await fireEvent.keyDown(svg, { key });
    },
  };
}

const marks = (some: Partial<Marks>): Marks => ({ ...NO_MARKS, ...some });

// Hundreds of keys and taps: a limit for a busy machine, not a measurement.
const PATIENCE = 60_000;

describe.each(boards)("a board of %s", { timeout: PATIENCE }, (_, real) => {
  it("draws every square with its ground, and every piece where it stands", () => {
    const { all } = show(real);
    expect(
      all("[data-square]")
        .map((each) => each.getAttribute("data-square"))
        .sort(),
    ).toEqual(real.style.squares.map((square) => square.name).sort());
    const motifs = Object.values(real.grounds).filter((ground) =>
      ["forest", "water"].includes(ground),
    );
    expect(all(".grounds use")).toHaveLength(motifs.length);
    const plan = layout(real.style, "white");
    expect(
      all(".pieces .piece")
        .map((piece) => piece.getAttribute("style")!.match(/translate[^;]*/)![0])
        .sort(),
    ).toEqual(
      real.pieces
        .map(({ at }) => `translate(${plan.by.get(at)!.x}px, ${plan.by.get(at)!.y}px)`)
        .sort(),
    );
    expect(all(".pieces .piece.black")).toEqual([]);
  });

  it("has the other side at the bottom when it is asked to", async () => {
    const { all, rerender } = show(real);
    const first = real.style.squares[0]!.name;
    const place = () =>
      all(`[data-square="${first}"]`)[0]!
        .getAttribute("transform")!
        .match(/-?[\d.]+/g)!
        .map(Number);
    const [x, y] = place();
    await rerender({ bottom: "black" });
    const [turnedX, turnedY] = place();
    expect([turnedX, turnedY].map((n) => n! + 0)).toEqual([-x! + 0, -y! + 0]);
  });

  it("takes the nearest square for a tap", async () => {
    const { told, tap } = show(real);
    for (const { name } of real.style.squares) await tap(name, 14);
    expect(told).toEqual(real.style.squares.map(({ name }) => `tap ${name}`));
  });

  it("can be walked over and used by keys alone", async () => {
    const { press, told, spoken, svg } = show(real);
    svg.focus();
    const seen = new Set<string>();
    const here = () => spoken()!.split(",")[0]!;
    await press(...Array<string>(12).fill("ArrowDown"), ...Array<string>(12).fill("ArrowLeft"));
    for (let row = 0, way = "ArrowRight"; row < 12; row++) {
      for (let step = 0; step < 13; step++) {
        seen.add(here());
        await press(way);
      }
      way = way === "ArrowRight" ? "ArrowLeft" : "ArrowRight";
      await press("ArrowUp");
      // A longer row begins further out.
      await press(...Array<string>(2).fill(way === "ArrowRight" ? "ArrowLeft" : "ArrowRight"));
    }
    expect([...seen].sort()).toEqual(real.style.squares.map(({ name }) => name).sort());
    await press("Enter", " ", "Escape");
    expect(told).toEqual([`tap ${here()}`, `tap ${here()}`, "escape"]);
  });
});

describe("a rule set that nobody has drawn", () => {
  const real = realBoard("squares");
  const strange = {
    kinds: [{ name: "mage", title: "Mage", letter: "M", count: 1, about: "", facts: [] }],
    pieces: [{ type: "mage", color: "white" as const, at: "a1" }],
    grounds: { a1: "marsh", b1: "dust" },
    looks: { marsh: "water", dust: "open" },
  };

  it("has grounds that look like others, and keeps their names", async () => {
    const { all, spoken, press, svg } = show(real, strange);
    const [marsh] = all('[data-square="a1"]');
    expect(marsh!.querySelector("path")!.getAttribute("style")).toContain("var(--water)");
    expect(marsh!.querySelector("use")!.getAttribute("href")).toBe("#ground-water");
    expect(marsh!.querySelector("use")!.getAttribute("style")).toContain("var(--water-ink)");
    const [dust] = all('[data-square="b1"]');
    expect(dust!.querySelector("path")!.getAttribute("style")).toMatch(/var\(--stone-[abc]\)/);
    expect(dust!.querySelector("use")).toBeNull();
    svg.focus();
    await press(...Array<string>(12).fill("ArrowDown"), ...Array<string>(12).fill("ArrowLeft"));
    expect(spoken()).toBe("a1, White Mage, marsh");
  });

  it("has pieces with a drawing, whatever their letter", () => {
    const { all } = show(real, strange);
    const [piece] = all(".pieces .piece use");
    expect(symbols).toContain(`id="${piece!.getAttribute("href")!.slice(1)}"`);
    for (const letter of Object.keys(PIECES))
      expect(symbols).toContain(`id="${drawingOf(letter)}"`);
  });
});

describe("pointers", () => {
  const real = realBoard("squares");
  const [one] = real.pieces;
  const from = one!.at;
  const movable = new Set([from]);

  it("drags pieces that may move, from one square to another", async () => {
    const { told, drag, at } = show(real, { movable });
    await drag(from, at("e5"));
    expect(told).toEqual([`lift ${from}`, `drag ${from} e5`]);
  });

  it("drags nothing else, and takes what is no drag for a tap", async () => {
    const { told, drag, at } = show(real, { movable });
    await drag(real.pieces[1]!.at, at("e5"));
    await drag(from, at(from, 8));
    expect(told).toEqual(["tap e5", `tap ${from}`]);
  });

  it("does nothing when a drag ends where it began, beside the board, or is called off", async () => {
    const { told, drag, at, pointer } = show(real, { movable });
    await drag(from, onScreen(-2000, 0));
    await pointer("Down", at(from));
    await pointer("Move", at("e5"));
    await pointer("Move", at(from));
    await pointer("Up", at(from));
    await pointer("Down", at(from));
    await pointer("Move", at("e5"));
    await pointer("Cancel", at("e5"));
    await pointer("Up", at("e5"));
    expect(told).toEqual([`lift ${from}`, `lift ${from}`, `lift ${from}`]);
  });

  it("leaves other mouse buttons alone", async () => {
    const { told, at, pointer } = show(real, { movable });
    await pointer("Down", { ...at("e5"), button: 2 });
    await pointer("Up", { ...at("e5"), button: 2 });
    expect(told).toEqual([]);
  });

  it("lets the lifted piece follow the pointer, above a finger, and shows where it would land", async () => {
    const { all, pointer, at } = show(real, { movable });
    const place = () =>
      all(".lifted")[0]!
        .getAttribute("transform")!
        .match(/-?[\d.]+/g)!
        .map(Number);
    const plan = layout(real.style, "white");
    const { x, y } = plan.by.get("e5")!;
    await pointer("Down", at(from));
    expect(all(".lifted")).toEqual([]);
    await pointer("Move", at("e5"));
    expect(place().slice(0, 2)).toEqual([x, y - 14]);
    expect(all(".aim")[0]!.getAttribute("transform")).toContain(`translate(${x} ${y})`);
    expect(all(".piece.ghost")).toHaveLength(1);
    await pointer("Up", at("e5"));
    expect(all(".lifted, .aim, .ghost")).toEqual([]);
    await pointer("Down", at(from), "touch");
    await pointer("Move", at("e5"), "touch");
    expect(place()[1]).toBeLessThan(y - 64);
  });

  it("tells which square is below the pointer, and when there is none", async () => {
    const onhover = vi.fn();
    const { pointer, at, svg } = show(real, { onhover });
    await pointer("Move", at("c3"));
    await fireEvent.pointerLeave(svg);
    expect(onhover.mock.calls).toEqual([["c3"], [null]]);
  });

  it("is a picture where there is nothing to tap", async () => {
    const { svg, drag, at, press, told } = show(real, { movable }, true);
    await drag(from, at("e5"));
    await press("Enter", "Escape");
    expect(told).toEqual([]);
    expect(svg.getAttribute("tabindex")).toBe("-1");
  });
});

describe("keys", () => {
  const real = realBoard("squares");

  it("begin with what is chosen, else with the last action, else with what can be done", async () => {
    const told = async (more: Partial<Props>) => {
      const { svg, spoken } = show(real, more);
      svg.focus();
      await tick();
      const square = spoken()!.split(",")[0];
      cleanup();
      return square;
    };
    const last = [{ from: "c3", to: "c4", struck: [] }];
    const movable = new Set(["e5", "d6"]);
    expect(await told({ marks: marks({ selected: "b2", last }), movable })).toBe("b2");
    expect(await told({ marks: marks({ last }), movable })).toBe("c4");
    expect(await told({ movable })).toBe("d6");
    expect(await told({})).toBe("a1");
  });

  it("go on from the square that was tapped", async () => {
    const { svg, tap, press, spoken } = show(real);
    await tap("e5");
    svg.focus();
    await press("ArrowRight");
    expect(spoken()).toContain("f5");
  });

  it("leap with N over the pieces that may act, then over the targets", async () => {
    const { svg, press, spoken, rerender } = show(real, { movable: new Set(["a1", "e5", "c9"]) });
    const here = () => spoken()!.split(",")[0];
    svg.focus();
    await tick();
    const seen: (string | undefined)[] = [];
    for (const key of ["n", "n", "n"]) {
      seen.push(here());
      await press(key);
    }
    expect(seen).toEqual(["c9", "e5", "a1"]);
    expect(here()).toBe("c9");
    await fireEvent.keyDown(svg, { key: "N", shiftKey: true });
    expect(here()).toBe("a1");
    await rerender({ marks: marks({ targets: new Map([["b2", "move"]]) }) });
    await press("n");
    expect(here()).toBe("b2");
  });

  it("stay within the squares they are given", async () => {
    const within = new Set(["a1", "b1", "a2", "b2"]);
    const { svg, press, spoken } = show(real, { within });
    svg.focus();
    await press("ArrowUp", "ArrowUp", "ArrowUp", "ArrowRight", "ArrowRight", "ArrowRight");
    expect(spoken()).toContain("b2");
  });

  it("take off with Delete or Backspace where that is asked for", async () => {
    const onremove = vi.fn();
    const { press } = show(real, { onremove });
    await press("ArrowRight", "Delete", "Backspace");
    expect(onremove.mock.calls).toEqual([["b1"], ["b1"]]);
  });

  it("leave the browser its own", async () => {
    const { svg, told } = show(real);
    for (const more of [{ ctrlKey: true }, { altKey: true }, { metaKey: true }]) {
      expect(await fireEvent.keyDown(svg, { key: "ArrowLeft", ...more })).toBe(true);
    }
    expect(await fireEvent.keyDown(svg, { key: "Tab" })).toBe(true);
    expect(await fireEvent.keyDown(svg, { key: "ArrowLeft" })).toBe(false);
    expect(told).toEqual([]);
  });

  it("show a ring while the board has the focus, and none after a pointer", async () => {
    const { svg, press, all, tap } = show(real);
    expect(all(".focus")).toEqual([]);
    svg.focus();
    await press("ArrowRight");
    expect(all(".focus")).toHaveLength(1);
    await tap("e5");
    expect(all(".focus")).toEqual([]);
    await press("ArrowRight");
    svg.blur();
    await tick();
    expect(all(".focus")).toEqual([]);
  });

  it("can be given a square to begin with", async () => {
    const { svg, component, spoken } = show(real);
    component.focusOn("d4");
    await tick();
    expect(document.activeElement).toBe(svg);
    expect(spoken()).toContain("d4");
  });
});

describe("marks", () => {
  const real = realBoard("squares");

  it.each<[string, Partial<Marks>, Record<string, number>]>([
    ["selected", { selected: "a1" }, { ".selected": 1 }],
    ["a target", { targets: new Map([["a1", "move"]]) }, { ".dot": 1, ".brackets": 0, ".shot": 0 }],
    [
      "a capture",
      { targets: new Map([["a1", "take"]]) },
      { ".dot": 0, ".brackets": 2, ".shot": 0 },
    ],
    ["a shot", { targets: new Map([["a1", "shot"]]) }, { ".dot": 0, ".brackets": 0, ".shot": 3 }],
    [
      "both meanings",
      { targets: new Map([["a1", "both"]]) },
      { ".dot": 1, ".brackets": 2, ".shot": 0 },
    ],
    [
      "an own piece that would be struck",
      { targets: new Map([["a1", "own"]]) },
      { ".dot": 0, ".brackets": 0, ".shot": 0, ".own": 2 },
    ],
    ["who may act", { able: new Set(["a1", "b1"]) }, { ".able": 2 }],
    [
      "the last action",
      { last: [{ from: "a1", to: "a3", struck: ["b3"] }] },
      { ".last.from": 1, ".last.to": 1, ".trail": 1, ".struck": 1, ".step": 0 },
    ],
    [
      "every action of a turn, in order",
      {
        last: [
          { from: "a1", to: "a2", struck: [] },
          { from: "a2", to: "a3", struck: [] },
          { from: "c1", to: "c1", struck: ["c3"] },
        ],
      },
      { ".last.from": 1, ".last.to": 3, ".trail": 2, ".struck": 1, ".step": 3 },
    ],
    [
      "a promotion among several actions",
      {
        last: [
          { from: "a1", to: "a2", struck: [] },
          { from: "c1", to: "c1", struck: [] },
        ],
      },
      { ".step": 2 },
    ],
    [
      "a shot of one that stays",
      { last: [{ from: "a1", to: "a1", struck: ["b3"] }] },
      { ".trail": 0, ".struck": 1 },
    ],
    ["danger", { danger: ["a1"] }, { ".danger": 1, ".badge.problem": 1 }],
    ["who threatens", { threats: ["a1"] }, { ".threat": 1, ".danger": 0, ".badge": 0 }],
    ["who can save", { saviours: ["a1"] }, { ".saviour": 1, ".danger": 0, ".badge": 0 }],
    ["the end", { decided: ["a1"] }, { ".decided": 1, ".flag": 1, ".danger": 0, ".problem": 0 }],
    ["a refusal", { refused: "a1" }, { ".refused": 1, ".cross": 1 }],
    ["numbers", { badges: new Map([["a1", "3"]]) }, { ".badge": 1, ".badge.problem": 0 }],
    ["where a piece would land", { landings: ["a1"] }, { ".landing": 1, ".dot": 0 }],
    ["lines", { lines: [{ from: "a1", to: "c3", way: "in" }] }, { ".line.in": 1, ".head.in": 1 }],
    ["problems", { problems: new Map([["a1", 2]]) }, { ".badge.problem": 1 }],
    ["nothing", {}, { ".above > *": 0, ".below > *": 0 }],
  ])("has a shape for %s", (_, some, shapes) => {
    const { all } = show(real, { marks: marks(some) });
    for (const [selector, number] of Object.entries(shapes)) {
      expect(all(selector), selector).toHaveLength(number);
    }
  });

  it("draws nothing for squares that are not on the board", () => {
    const away = marks({
      selected: "z9",
      danger: ["z9"],
      refused: "z9",
      targets: new Map([["z9", "move"]]),
    });
    const { all } = show(real, { marks: away });
    expect(all(".above > *, .below > *")).toEqual([]);
  });

  it("draws buildings, waiting pieces and directions", () => {
    const [first] = real.pieces;
    const features = [
      { kind: "keep", squares: ["c3"], color: "white" as const, direction: null },
      { kind: "home", squares: ["b3", "d3"], color: "white" as const, direction: null },
      { kind: "fortress", squares: ["e5"], color: "white" as const, direction: null },
      { kind: "ruin", squares: ["f6"], color: "black" as const, direction: null },
      { kind: "circle", squares: ["g7"], color: null, direction: null },
      { kind: "waiting", squares: [first!.at], color: null, direction: null },
      { kind: "facing", squares: ["a4"], color: "white" as const, direction: "NE" },
    ];
    const { all } = show(real, { features });
    const shapes = {
      ".home": 2,
      ".fortress": 1,
      ".ruin": 1,
      ".ring": 1,
      ".hourglass": 1,
      ".piece.waiting": 1,
    };
    for (const [selector, number] of Object.entries(shapes))
      expect(all(selector)).toHaveLength(number);
    expect(all(".facing")[0]!.getAttribute("transform")).toContain("rotate(-45)");
    expect(all('use[href="#piece-keep"]')).toHaveLength(1);
  });

  it("shows coordinates or not", async () => {
    const { all, rerender } = show(real);
    expect(all(".coordinates text").map((each) => each.textContent)).toEqual(
      expect.arrayContaining(["1", "10", "a", "j"]),
    );
    await rerender({ coordinates: false });
    expect(all(".coordinates text")).toEqual([]);
  });

  it("covers one half with the curtain", async () => {
    const { all, rerender } = show(real);
    expect(all(".curtain")).toEqual([]);
    await rerender({ curtain: "black" });
    const plan = layout(real.style, "white");
    const black = plan.squares.filter(({ square }) => square.home === "black");
    expect(
      all(".curtain")
        .map((each) => each.getAttribute("transform")!.split(")")[0])
        .sort(),
    ).toEqual(black.map(({ x, y }) => `translate(${x} ${y}`).sort());
  });
});

describe("motion", () => {
  it("goes on when the same board comes again, as the server has it", async () => {
    vi.stubGlobal("matchMedia", () => ({ matches: false }));
    const real = realBoard("squares");
    const [mover] = real.pieces;
    const struck = real.pieces.find(({ type }) => type !== mover!.type);
    const others = real.pieces.filter((piece) => piece !== mover && piece !== struck);
    const board = show(real);
    const figures = () =>
      board.all(".pieces [data-piece]").map((each) => each.getAttribute("data-piece"));
    const last = [{ from: mover!.at, to: struck!.at, struck: [] }];
    const marks: Marks = { ...NO_MARKS, last };
    const after = () => [...others, { ...mover!, at: struck!.at }].map((piece) => ({ ...piece }));
    await board.rerender({ pieces: after(), marks });
    await tick();
    expect(board.all(".sinking")).toHaveLength(1);
    const [sinking] = board.all(".sinking");
    const [figure] = board.all(`[data-piece="${struck!.at}"]`);
    const order = figures();
    await board.rerender({ pieces: after().reverse(), marks });
    await tick();
    expect(board.all(".sinking")).toEqual([sinking]);
    expect(board.all(`[data-piece="${struck!.at}"]`)).toEqual([figure]);
    expect(figures()).toEqual(order); // who passes over the others goes on doing so
  });
});

describe("what is heard", () => {
  const real = realBoard("squares");

  async function heard(square: string, more: Partial<Props> = {}): Promise<string | null> {
    const { component, spoken } = show(real, more);
    component.focusOn(square);
    await tick();
    return spoken();
  }

  it("names the square, the piece, the ground and what can be done", async () => {
    const piece = { type: "light_horse", color: "black" as const, at: "b1" };
    const grounds = { b1: "forest" };
    const targets = new Map([["b1", "take" as const]]);
    expect(await heard("b1", { pieces: [piece], grounds, marks: marks({ targets }) })).toBe(
      [
        "b1",
        words.piece("black", "Light Horse"),
        words.ground("forest"),
        words.target("take"),
      ].join(", "),
    );
    cleanup();
    expect(await heard("a1", { pieces: [] })).toBe("a1");
  });

  it("names what is selected, in danger, or wrong", async () => {
    const some = marks({ selected: "c3", danger: ["c3"], problems: new Map([["c3", 2]]) });
    expect(await heard("c3", { pieces: [], grounds: {}, marks: some })).toBe(
      `c3, ${words.selected}, ${words.inDanger}, ${words.problemNumber(2)}`,
    );
  });

  it("names the end, and who threatens or can save", async () => {
    const some = marks({ decided: ["c3"], threats: ["c3"], saviours: ["c3"] });
    expect(await heard("c3", { pieces: [], grounds: {}, marks: some })).toBe(
      `c3, ${words.threatens}, ${words.canSave}, ${words.decided}`,
    );
  });

  it("names buildings once, and where a piece aims", async () => {
    const wall = { kind: "ruin", squares: ["c3"], color: "white" as const, direction: null };
    const aim = { kind: "facing", squares: ["c3"], color: "white" as const, direction: "NE" };
    const rock = { kind: "mountain", squares: ["c3"], color: null, direction: null };
    const grounds = { c3: "fortress" };
    expect(await heard("c3", { pieces: [], grounds, features: [wall, aim, rock] })).toBe(
      "c3, White ruin, aims northeast",
    );
    cleanup();
    expect(await heard("c3", { pieces: [], grounds: { c3: "mountain" }, features: [rock] })).toBe(
      "c3, mountain",
    );
  });

  it("is silent while the focus is elsewhere", async () => {
    const { svg, component, spoken } = show(real);
    component.focusOn("a1");
    svg.blur();
    await tick();
    expect(spoken()).toBe("");
  });
});
