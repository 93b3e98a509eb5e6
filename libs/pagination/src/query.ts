/**
 * Returns the last value of a repeated parameter, which arrives as an array. Undefined if it was not sent.
 */
export function lastValue(sent: unknown): unknown {
  return Array.isArray(sent) ? (sent as unknown[]).at(-1) : sent;
}
