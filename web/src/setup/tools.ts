// What setups are arranged with beyond pieces, by what it is used for.
import type { Brush, Marks, Reserve, RuleSetPage, Seat, Slots, Tool } from "../lib/types";

export interface Kit {
  marks: Marks[];
  brushes: Brush[];
  reserves: Reserve[];
  slots: Slots | null;
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
