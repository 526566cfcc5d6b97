// Beginning a game: ask for it, and bring a good setup if that is wanted.
import { get, post } from "../lib/api";
import { began, isNew } from "../lib/fortune";
import { router } from "../lib/router.svelte";
import { type Created, other, type Seat, type SetupDocument } from "../lib/types";
import { type Choice, requestOf } from "./choose";

/** Begin a game and go there.  Rejects with Refused if there is none. */
export async function begin(choice: Choice): Promise<void> {
  const { game, seat } = await post<Created>("games", requestOf(choice));
  if (choice.opponent === "bot" && isNew(choice.ruleSet)) began(choice.ruleSet, game);
  if (choice.setup === "good" && seat) {
    const seats = choice.opponent === "same_screen" ? [seat, other(seat)] : [seat];
    try {
      for (const each of seats) await bring(choice.ruleSet, game, each);
    } catch {
      // The game is there all the same, and its setup screen offers good setups too.
    }
  }
  router.go(`/game/${game}`);
}

async function bring(ruleSet: string, game: string, seat: Seat): Promise<void> {
  const setup = await get<SetupDocument>(`rules/${ruleSet}/setup?color=${seat}&kind=good`);
  await post(`games/${game}/commands`, { do: "submit", setup, seat });
}
