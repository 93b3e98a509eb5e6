/** How long the event loop is busy with writing an answer: well under a millisecond, about one, or several. */
export type AnswerSize = 'small' | 'medium' | 'large';

/** Values of an answer, from which it is as large. */
const MEDIUM = 1_000;
const LARGE = 8_000;
/** A text counts as one value more for each so many characters. */
const CHARACTERS = 256;

/** Counts values as far as it needs to, some microseconds for each hundred. */
export function answerSize(answer: unknown): AnswerSize {
  const counted = LARGE - left(answer, LARGE);
  if (counted >= LARGE) return 'large';
  return counted >= MEDIUM ? 'medium' : 'small';
}

/** Subtracts the values inside `value` from `values`, down to zero. */
function left(value: unknown, values: number): number {
  if (typeof value === 'string') return Math.max(0, values - 1 - Math.floor(value.length / CHARACTERS));
  if (typeof value !== 'object' || value === null) return Math.max(0, values - 1);
  let rest = values - 1;
  for (const name in value) {
    if (rest <= 0) return 0;
    rest = left((value as Record<string, unknown>)[name], rest);
  }
  return Math.max(0, rest);
}
