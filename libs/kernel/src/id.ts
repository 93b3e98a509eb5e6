/** Whether the value is a possible numeric id: a safe integer above zero. */
export function isId(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) > 0;
}
