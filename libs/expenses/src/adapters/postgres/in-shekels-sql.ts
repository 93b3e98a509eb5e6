/**
 * Converts a total with a rate `r`, like `inShekels`: the product keeps all digits before the division, so
 * the result is rounded only once.
 */
export function shekelsSql(total: string): string {
  return `round((${total} * r.rate)::numeric(40, 12) / r.unit, 2)`;
}
