/**
 * A total converted with a rate `r`, as `inShekels` computes it: the product keeps all digits before the division, so
 * that it is rounded once.
 */
export function shekelsSql(total: string): string {
  return `round((${total} * r.rate)::numeric(40, 12) / r.unit, 2)`;
}
