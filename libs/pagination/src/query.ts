/** What was sent, or undefined when nothing was; a repeated parameter arrives as an array. */
export function lastValue(sent: unknown): unknown {
  return Array.isArray(sent) ? (sent as unknown[]).at(-1) : sent;
}
