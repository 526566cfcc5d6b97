// A rule set that nobody plays: four by four squares, with every kind of tool that there is.
import type { GameState } from "../src/game/state";
import type {
  PositionDocument,
  RuleSetPage,
  Seat,
  SetupDocument,
  SquareShape,
  Tool,
} from "../src/lib/types";

/** A position without anything. */
export const NOWHERE: PositionDocument = {
  pieces: [],
  terrain: {},
  to_move: "white",
  quiet_turns: 0,
  passed: false,
  drawn: false,
};

const squares: SquareShape[] = [1, 2, 3, 4].flatMap((row) =>
  [..."abcd"].map((letter, x) => ({
    name: `${letter}${row}`,
    x,
    y: row - 1,
    ground: "grass",
    home: row <= 2 ? ("white" as const) : ("black" as const),
  })),
);

export const TILES: Tool = {
  kind: "slots",
  field: "tiles",
  title: "Tiles",
  choice: "gate",
  choice_title: "Gate",
  layouts: {
    left: {
      title: "Left",
      slots: {
        R: { squares: ["b1", "c1", "d1"], face: "R" },
        S: { squares: ["b2", "c2", "d2"], face: "R" },
      },
      rest: ["a1", "a2"],
      circle: "a1",
    },
    right: {
      title: "Right",
      slots: {
        P: { squares: ["a1", "b1", "c1"], face: "L" },
        Q: { squares: ["a2", "b2", "c2"], face: "L" },
      },
      rest: ["d1", "d2"],
      circle: "d1",
    },
  },
  tiles: {
    "1": { L: ["water", null, null], R: [null, null, null] },
    "2": { L: [null, null, null], R: [null, null, null] },
  },
  turned: "t",
  piece: "king",
  about: "",
};

export const MARKS: Tool[] = [
  {
    kind: "marks",
    field: "mountains",
    title: "Mountain",
    drawing: "mountain",
    count: 2,
    single: false,
    about: "",
  },
  {
    kind: "marks",
    field: "keep",
    title: "Keep",
    drawing: "keep",
    count: 1,
    single: true,
    about: "",
  },
  { kind: "reserve", field: "dragon_waits", piece: "dragon", about: "The Dragon may wait." },
];

export const BRUSHES: Tool[] = [
  { kind: "brush", ground: "grass", title: "Grass", count: 7, about: "" },
  { kind: "brush", ground: "water", title: "Water", count: 1, about: "" },
];

export function rulesWith(tools: Tool[]): RuleSetPage {
  return {
    id: "toy",
    title: "Toy Cyvasse",
    author: "",
    summary: "",
    first_player: "white",
    pieces: [
      { name: "king", title: "King", letter: "K", count: 1, about: "", facts: [] },
      { name: "rabble", title: "Rabble", letter: "R", count: 2, about: "", facts: [] },
      { name: "dragon", title: "Dragon", letter: "D", count: 1, about: "", facts: [] },
    ],
    terrain: {},
    looks: {},
    styles: [
      {
        name: "squares",
        outline: [
          [0.5, 0.5],
          [-0.5, 0.5],
          [-0.5, -0.5],
          [0.5, -0.5],
        ],
        squares,
      },
    ],
    setups: {},
    characters: {},
    tools: { white: tools, black: tools },
    layers: [],
    coach: {},
    levels: 10,
  };
}

export function setup(fields: Record<string, unknown> = {}, color: Seat = "white"): SetupDocument {
  return {
    rule_set: "toy",
    color,
    pieces: [
      { type: "king", at: color === "white" ? "a1" : "d4" },
      { type: "rabble", at: color === "white" ? "a2" : "d3" },
    ],
    terrain: {},
    ...fields,
  };
}

export function gameWith(change: Partial<GameState> = {}): GameState {
  const clocks = { white: null, black: null, running: null, now: 0 };
  return {
    game: "g",
    number: 1,
    you: ["white"],
    agreement: {
      rule_set: "toy",
      clock: { kind: "none" },
      setup_seconds: null,
      first: null,
      public: false,
      repetition: true,
      quiet: true,
      take_backs: true,
      shared: false,
      imported: false,
      position: null,
    },
    standing: {
      status: "setup",
      white: { name: "Ada", bot: null },
      black: { name: "Ben", bot: null },
      ready: { white: false, black: false },
      clocks,
      setup_deadline: null,
      outcome: null,
      aborted: null,
      offered: null,
      asked: null,
      seat_asked: null,
      rematch_asked: null,
      rematch: null,
    },
    board: null,
    setups: {},
    turns: [],
    actions: [],
    tags: {},
    invitation: null,
    byInvitation: false,
    presence: null,
    remarks: [],
    room: "players",
    clocks,
    heardAt: 0,
    answer: null,
    ...change,
  };
}
