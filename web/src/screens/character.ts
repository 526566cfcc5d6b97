// What a rule set is like, in an editor's words: lengths and difficulty are estimates, not rules.

export interface Character {
  /** How long a game takes, in minutes; null where nobody has said. */
  minutes: number | null;
  /** From 1, easy to learn, to 4; 0 where nobody has said. */
  difficulty: number;
  hexagons: boolean;
}

const UNKNOWN: Character = { minutes: null, difficulty: 0, hexagons: false };

const CHARACTERS: Record<string, Character> = {
  "nine-tile": { minutes: 30, difficulty: 3, hexagons: false },
  mikelepage: { minutes: 40, difficulty: 4, hexagons: true },
  croft: { minutes: 25, difficulty: 2, hexagons: false },
  gameofcyvasse: { minutes: 15, difficulty: 1, hexagons: false },
};

export const characterOf = (id: string): Character => CHARACTERS[id] ?? UNKNOWN;
