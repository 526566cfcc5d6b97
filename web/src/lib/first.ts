// What came with the page: its fingerprint, and the first answers that it would ask for.

interface First {
  page: string;
  answers: Record<string, unknown>;
}

function read(): First {
  const element = document.getElementById("first");
  element?.remove(); // nobody needs it twice
  try {
    return JSON.parse(element?.textContent ?? "") as First;
  } catch {
    return { page: "", answers: {} }; // not from our server: then everything is asked for
  }
}

const first = read();

/** Which build of the page this is; empty if the server did not say. */
export const fingerprint = first.page;

/** The answer that came along, once: it is of the moment when the page was loaded. */
export function firstAnswer<T>(path: string): T | undefined {
  const answer = first.answers[path] as T | undefined;
  delete first.answers[path];
  return answer;
}
