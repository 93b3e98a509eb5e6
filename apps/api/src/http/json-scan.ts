const QUOTE = 0x22;
const BACKSLASH = 0x5c;

/** The role of a byte in the structure of a JSON text. Bytes of values and colons have none. */
export const Kind = { other: 0, space: 1, text: 2, comma: 3, open: 4, close: 5 } as const;

export const KINDS = Uint8Array.from({ length: 256 }, (_, byte) => kindOf(String.fromCharCode(byte)));

function kindOf(character: string): number {
  if (character <= ' ') return Kind.space;
  if (character === '"') return Kind.text;
  if (character === ',') return Kind.comma;
  if ('[{'.includes(character)) return Kind.open;
  return ']}'.includes(character) ? Kind.close : Kind.other;
}

export interface JsonBounds {
  /** Entries of lists and fields of objects, wherever they are. */
  readonly valuesMax: number;
  /** Lists and objects within each other, the outermost included. */
  readonly depthMax: number;
}

/**
 * Counts values and levels of a JSON text by its structural characters, before it is parsed: parsing builds everything
 * that is sent, which costs a hundred times more. Of a text that is valid JSON the figures are exact; any other text is
 * refused by the parser, whatever is found here.
 *
 * @returns the bound that the text exceeds, or null
 */
export function exceededBound(
  json: Uint8Array,
  { valuesMax, depthMax }: JsonBounds,
): keyof JsonBounds | null {
  let values = 0;
  let depth = 0;
  // The first entry of a list or object has no comma before it: it counts as soon as there is anything but the end.
  let isFirst = false;
  for (let at = 0; at < json.length; at++) {
    const kind = KINDS[json[at] ?? 0];
    if (kind === Kind.space) continue;
    if (isFirst && kind !== Kind.close) values += 1;
    isFirst = kind === Kind.open;
    if (kind === Kind.text) at = endOfText(json, at);
    else if (kind === Kind.comma) values += 1;
    else if (kind === Kind.open) depth += 1;
    else if (kind === Kind.close) depth -= 1;
    if (depth > depthMax) return 'depthMax';
    if (values > valuesMax) return 'valuesMax';
  }
  return null;
}

/** @returns where the text that begins at `start` ends, with its closing quote or with the bytes */
export function endOfText(json: Uint8Array, start: number): number {
  for (let at = start + 1; at < json.length; at++) {
    const byte = json[at];
    if (byte === QUOTE) return at;
    if (byte === BACKSLASH) at += 1;
  }
  return json.length;
}
