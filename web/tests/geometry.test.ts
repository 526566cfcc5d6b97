import { describe, expect, it } from "vitest";
import { colorOf } from "../src/board/drawings";
import { layout, nearest, neighbour, turnOf, UNIT } from "../src/board/geometry";
import { boards, realBoard } from "./boards";

const ARROWS: [number, number][] = [
  [1, 0],
  [-1, 0],
  [0, 1],
  [0, -1],
];

describe.each(boards)("a board of %s", (_, { style }) => {
  const plan = layout(style, "white");

  it("has every square inside its frame, no two on one another", () => {
    const { box } = plan;
    expect(plan.squares).toHaveLength(style.squares.length);
    for (const { x, y } of plan.squares) {
      expect(x - UNIT / 2).toBeGreaterThan(box.x);
      expect(x + UNIT / 2).toBeLessThan(box.x + box.width);
      expect(y - UNIT / 2).toBeGreaterThan(box.y);
      expect(y + UNIT / 2).toBeLessThan(box.y + box.height);
    }
    const gaps = plan.squares.flatMap((a) =>
      plan.squares.filter((b) => b !== a).map((b) => Math.hypot(a.x - b.x, a.y - b.y)),
    );
    expect(Math.min(...gaps)).toBeCloseTo(UNIT, 0);
  });

  it("has the own half at the bottom, whoever owns it", () => {
    for (const seat of ["white", "black"] as const) {
      const { squares } = layout(style, seat);
      const own = squares.filter(({ square }) => square.home === seat).map(({ y }) => y);
      const others = squares.filter(({ square }) => square.home !== seat).map(({ y }) => y);
      expect(Math.min(...own)).toBeGreaterThan(Math.max(...others));
    }
  });

  it("is turned by half a turn, not mirrored", () => {
    const turned = layout(style, "black");
    for (const { name, x, y } of plan.squares) {
      expect(turned.by.get(name)!.x).toBeCloseTo(-x);
      expect(turned.by.get(name)!.y).toBeCloseTo(-y);
    }
  });

  it("has each row and each column named once, outside its squares", () => {
    for (const seat of ["white", "black"] as const) {
      const { rows, columns, squares } = layout(style, seat);
      const names = squares.map(({ name }) => name);
      expect(rows.map(({ text }) => text).sort()).toEqual(
        [...new Set(names.map((name) => name.slice(1)))].sort(),
      );
      expect(columns.map(({ text }) => text).sort()).toEqual(
        [...new Set(names.map((name) => name[0]))].sort(),
      );
      const texts = [...rows, ...columns];
      for (const { text, x, y } of texts) {
        const gap = Math.min(...squares.map((at) => Math.hypot(at.x - x, at.y - y)));
        expect(gap, text).toBeGreaterThan(UNIT * 0.6);
        for (const other of texts) {
          if (other.text !== text) {
            expect(Math.hypot(other.x - x, other.y - y), text + other.text).toBeGreaterThan(16);
          }
        }
      }
    }
  });

  it("takes the square whose middle is nearest, and none far outside", () => {
    for (const { name, x, y } of plan.squares) {
      expect(nearest(plan, x, y)?.name).toBe(name);
      expect(nearest(plan, x + UNIT * 0.24, y - UNIT * 0.24)?.name).toBe(name);
    }
    expect(nearest(plan, plan.box.x - UNIT, plan.box.y)).toBeNull();
  });

  it("is walked from every square to every other one with the arrow keys", () => {
    for (const seat of ["white", "black"] as const) {
      const walked = layout(style, seat);
      for (const { name } of walked.squares)
        expect(reached(walked, name)).toBe(walked.squares.length);
    }
  });

  it("has arrows that lead where they point, one square at a time", () => {
    for (const { name, x, y } of plan.squares) {
      for (const [dx, dy] of ARROWS) {
        const to = plan.by.get(neighbour(plan, name, dx, dy))!;
        if (to.name === name) continue;
        const along = (to.x - x) * dx + (to.y - y) * dy;
        expect(along, `${name} ${dx} ${dy}`).toBeGreaterThan(0);
        expect(Math.hypot(to.x - x, to.y - y), `${name} ${to.name}`).toBeLessThan(UNIT * 1.5);
      }
    }
  });

  it("comes back to where it was, and keeps in line up and down", () => {
    for (const seat of ["white", "black"] as const) {
      const walked = layout(style, seat);
      const inside = walked.squares.filter(({ x, y }) => {
        const close = walked.squares.filter((at) => Math.hypot(at.x - x, at.y - y) < UNIT * 1.2);
        return close.length === (style.name === "squares" ? 5 : 7);
      });
      expect(inside.length).toBeGreaterThan(20);
      for (const { name, x } of inside) {
        for (const [dx, dy] of ARROWS) {
          const to = neighbour(walked, name, dx, dy);
          expect(neighbour(walked, to, -dx, -dy), `${name} ${to}`).toBe(name);
          if (dy && inside.some((each) => each.name === to)) {
            expect(walked.by.get(neighbour(walked, to, dx, dy))!.x).toBeCloseTo(x);
          }
        }
      }
    }
  });

  it("has neighbours in a row of different colours", () => {
    for (const { name, x } of plan.squares) {
      const right = neighbour(plan, name, 1, 0);
      if (right === name || plan.by.get(right)!.x - x > UNIT * 1.1) continue;
      expect(colorOf("open", turnOf(right)), `${name} ${right}`).not.toBe(
        colorOf("open", turnOf(name)),
      );
    }
  });
});

/** How many squares the arrow keys reach from one. */
function reached(plan: ReturnType<typeof layout>, from: string): number {
  const seen = new Set([from]);
  for (const name of seen) {
    for (const [dx, dy] of ARROWS) seen.add(neighbour(plan, name, dx, dy));
  }
  return seen.size;
}

it("stays at the edge", () => {
  const plan = layout(realBoard("squares").style, "white");
  expect(neighbour(plan, "a1", -1, 0)).toBe("a1");
  expect(neighbour(plan, "a1", 0, 1)).toBe("a1");
  expect(neighbour(plan, "a1", 0, -1)).toBe("a2");
  expect(neighbour(plan, "a1", 1, 0)).toBe("b1");
});
