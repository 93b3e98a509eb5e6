const NUMBER = /^(\d+|[1-9]\d{0,2}(,\d{3})+)(\.\d+)?$/;

/** Reads a number that is not negative; commas may separate thousands. Null for anything else. */
export function numberOf(text: string): number | null {
  const trimmed = text.trim();
  return NUMBER.test(trimmed) ? Number(trimmed.replaceAll(',', '')) : null;
}
