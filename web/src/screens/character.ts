// What a rule set is like.  Lengths are measured: the median of the games in tests/data/corpus, of
// bots of levels 1 to 4, to the nearest ten turns, both players' counted; a test compares them.  How hard it is to learn is
// an editor's word.

export interface Character {
  /** How many turns a game takes; null where nobody has measured it. */
  turns: number | null;
  /** From 1, easy to learn, to 4; 0 where nobody has said. */
  difficulty: number;
  hexagons: boolean;
}

const UNKNOWN: Character = { turns: null, difficulty: 0, hexagons: false };

const CHARACTERS: Record<string, Character> = {
  "nine-tile": { turns: 170, difficulty: 3, hexagons: false },
  mikelepage: { turns: 30, difficulty: 4, hexagons: true },
  croft: { turns: 60, difficulty: 2, hexagons: false },
  gameofcyvasse: { turns: 60, difficulty: 1, hexagons: false },
};

export const characterOf = (id: string): Character => CHARACTERS[id] ?? UNKNOWN;
