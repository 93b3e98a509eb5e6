/**
 * What a total comes to by a rate `r`, as `inShekels` computes it: all digits of the product are there before it is
 * divided, so that it is rounded once.
 */
export function shekelsSql(total: string): string {
  return `round((${total} * r.rate)::numeric(40, 12) / r.unit, 2)`;
}
