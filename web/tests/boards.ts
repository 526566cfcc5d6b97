// Real boards, as /api/rules tells them: squares, bricks and hexagons, each with a preset on it.
import { vi } from "vitest";
import type { BoardStyle, PieceAt, PieceKind } from "../src/lib/types";
import data from "./wire/boards.json";

export interface RealBoard {
  style: BoardStyle;
  kinds: PieceKind[];
  pieces: PieceAt[];
  grounds: Record<string, string>;
}

export const boards: [string, RealBoard][] = Object.entries(data).map(([name, board]) => {
  const style = board.style as BoardStyle;
  return [
    name,
    {
      style,
      kinds: board.kinds,
      pieces: board.pieces.map((piece) => ({ ...piece, color: "white" as const })),
      grounds: Object.fromEntries(style.squares.map((square) => [square.name, square.ground])),
    },
  ];
});

export function realBoard(name: keyof typeof data): RealBoard {
  return boards.find(([each]) => each === name)![1];
}

/** Where jsdom draws the board: half as large as its drawing units, and not in the corner. */
const SCALE = 0.5;
const [LEFT, TOP] = [100, 40];

export const onScreen = (x: number, y: number): { clientX: number; clientY: number } => ({
  clientX: LEFT + x * SCALE,
  clientY: TOP + y * SCALE,
});

/** What jsdom does not have: geometry, and wishes about motion. */
export function furnishDrawing(): void {
  class Point {
    constructor(
      readonly x: number,
      readonly y: number,
    ) {}
    matrixTransform(of: (x: number, y: number) => Point): Point {
      return of(this.x, this.y);
    }
  }
  vi.stubGlobal("DOMPoint", Point);
  vi.stubGlobal("matchMedia", () => ({ matches: false }));
  const drawing = SVGElement.prototype as unknown as Record<string, unknown>;
  const back = (x: number, y: number) => new Point((x - LEFT) / SCALE, (y - TOP) / SCALE);
  drawing.getScreenCTM = () => ({ inverse: () => back });
  drawing.setPointerCapture = () => {};
}
