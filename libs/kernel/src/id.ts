/** Whether it is the numeric id that something may have: a whole number above zero that a number names exactly. */
export function isId(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) > 0;
}
