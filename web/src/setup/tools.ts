// What setups are arranged with beyond pieces, as the server tells it.
import type { RuleSetPage, Scenery, Seat, SetupDocument, ProblemPlace } from "../lib/types";

/** Things that stand on squares in place of pieces: mountains, a keep. */
export interface MarksTool {
  kind: "marks";
  field: string;
  title: string;
  drawing: string;
  count: number;
  single: boolean;
  about: string;
}

/** A ground that is laid by hand. */
export interface BrushTool {
  kind: "brush";
  ground: string;
  title: string;
  count: number;
  about: string;
}

/** A piece that may wait beside the board. */
export interface ReserveTool {
  kind: "reserve";
  field: string;
  piece: string;
  about: string;
}

export interface Slot {
  squares: string[];
  face: string;
}

export interface SlotLayout {
  title: string;
  slots: Record<string, Slot>;
  rest: string[];
  circle: string;
}

/** Tiles in slots; which slots there are depends on a choice. */
export interface SlotsTool {
  kind: "slots";
  field: string;
  title: string;
  choice: string;
  choice_title: string;
  layouts: Record<string, SlotLayout>;
  tiles: Record<string, Record<string, (string | null)[]>>;
  turned: string;
  piece: string;
  about: string;
}

export type Tool = MarksTool | BrushTool | ReserveTool | SlotsTool;

/** What the server says about a setup that is being arranged. */
export interface Checked {
  setup: SetupDocument;
  text: string | null;
  problems: ProblemPlace[];
  scenery: Required<Scenery>;
}

export interface Kit {
  marks: MarksTool[];
  brushes: BrushTool[];
  reserves: ReserveTool[];
  slots: SlotsTool | null;
  about: string[];
}

export function kitOf(rules: RuleSetPage, seat: Seat): Kit {
  const tools = rules.tools[seat];
  const of = <K extends Tool["kind"]>(kind: K): Extract<Tool, { kind: K }>[] =>
    tools.filter((tool): tool is Extract<Tool, { kind: K }> => tool.kind === kind);
  return {
    marks: of("marks"),
    brushes: of("brush"),
    reserves: of("reserve"),
    slots: of("slots")[0] ?? null,
    about: tools.map((tool) => tool.about).filter(Boolean),
  };
}
