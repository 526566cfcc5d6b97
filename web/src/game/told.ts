// Sentences of the server, as whoever looks reads them.
import type { Seat, SentenceDocument } from "../lib/types";

/** As a player reads it, or as everyone does: onlookers, and two people at one screen. */
function readBy(sentence: SentenceDocument, you: Seat[]): string {
  return you.length === 1 ? sentence[you[0]!] : sentence.text;
}

/** Each sentence once. */
export function read(sentences: SentenceDocument[], you: Seat[]): string[] {
  return [...new Set(sentences.map((each) => readBy(each, you)))];
}
