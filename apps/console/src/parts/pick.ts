/** An entry of a picker. */
export interface Pick {
  readonly id: number;
  readonly name: string;
  /** A second line: a tax id, a SKU. */
  readonly detail?: string;
}

/** The text of a picker after another choice, or after another name of the same one: what is typed meanwhile stays. */
export function textAfter(text: string, before: Pick | null, chosen: Pick | null): string {
  const isAnother = chosen !== null && chosen.id !== before?.id;
  return isAnother || text === before?.name ? (chosen?.name ?? '') : text;
}
