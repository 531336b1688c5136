// What is shown of answers: pure functions, so that they are tested without an editor.

export interface Result {
  query?: string;
  verdict?: string;
  reason?: string;
}

export interface Answers {
  results?: Result[];
  errors?: { text?: string }[];
}

/** One line for each answer, or for what is wrong. */
export function summary(answers: Answers): string {
  const lines = (answers.results ?? []).map((one) =>
    `${one.query ?? "all states"}: ${one.verdict ?? "no answer"}${one.reason ? ` (${one.reason})` : ""}`);
  const errors = (answers.errors ?? []).map((one) => one.text ?? "an error");
  return [...lines, ...errors].join("\n") || "no answer";
}

/** What a web view shows: the page itself, or a sentence that there is none. */
export function page(answer: unknown): string {
  if (typeof answer === "string" && answer.includes("<html")) {
    return answer;
  }
  const text = summary((answer ?? {}) as Answers);
  const escaped = text.replace(/&/g, "&amp;").replace(/</g, "&lt;");
  return `<!DOCTYPE html><html><body><pre>${escaped}</pre></body></html>`;
}

/** A word of a shell's command line. */
export function quoted(word: string): string {
  return /^[\w./:-]+$/.test(word) ? word : `'${word.replace(/'/g, "'\\''")}'`;
}
