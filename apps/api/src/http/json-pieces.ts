import { AppError } from '@counterfoil/kernel';

/** A text of this many bytes is parsed in a millisecond or two. */
const PIECE_BYTES = 128 * 1024;

const OPENS: Readonly<Record<number, 'list' | 'object'>> = { 0x5b: 'list', 0x7b: 'object' };
const CLOSE = { list: 0x5d, object: 0x7d } as const;
const QUOTE = 0x22;
const COLON = 0x3a;
/** The only white space that JSON allows. */
const WHITE_SPACE = new Set([0x20, 0x09, 0x0a, 0x0d]);

/** A range of bytes, without the one at `to`. */
interface Range {
  readonly from: number;
  readonly to: number;
}

export const notJson = (cause?: unknown): AppError =>
  new AppError('VALIDATION_FAILED', 'the body is not valid JSON', { cause });

/** Parses one text, which is UTF-8. @throws AppError `VALIDATION_FAILED` */
export type ParseText = (text: Uint8Array) => unknown;

/**
 * Parses a JSON text of any size to the value that `parse` would return, and yields after each piece of a millisecond
 * or two, so that a large body does not delay all other requests. It splits only lists and objects.
 *
 * It recurses for each level of the text, so the caller must bound its depth.
 *
 * @throws AppError `VALIDATION_FAILED` if the text is not JSON, and the errors of `parse`
 */
export function* parsedInPieces(json: Uint8Array, parse: ParseText): Generator<void, unknown> {
  if (json.length <= PIECE_BYTES) return parse(json);
  return yield* new PieceParser(json, parse).value({ from: 0, to: json.length });
}

class PieceParser {
  constructor(
    private readonly json: Uint8Array,
    private readonly parse: ParseText,
  ) {}

  /** Yields first, because searching for the end of a large value has already taken milliseconds. */
  private *largeValue(range: Range): Generator<void, unknown> {
    yield;
    return yield* this.value(range);
  }

  *value(range: Range): Generator<void, unknown> {
    const { from, to } = trimmed(this.json, range);
    const kind = OPENS[this.json[from] ?? 0];
    if (to - from <= PIECE_BYTES || !kind) {
      const [value] = this.parseList({ from, to }, 1);
      yield;
      return value;
    }
    if (this.json[to - 1] !== CLOSE[kind]) throw notJson();
    const inside = trimmed(this.json, { from: from + 1, to: to - 1 });
    if (inside.from === inside.to) return kind === 'list' ? [] : {};
    return kind === 'list' ? yield* this.list(inside) : yield* this.object(inside);
  }

  private *list(inside: Range): Generator<void, unknown[]> {
    const list: unknown[] = [];
    for (const { range, count } of groupsOf(this.json, inside)) {
      if (isLarge(range)) list.push(yield* this.largeValue(range));
      else {
        for (const value of this.parseList(range, count)) list.push(value);
        yield;
      }
    }
    return list;
  }

  private *object(inside: Range): Generator<void, object> {
    const object: Record<string, unknown> = {};
    for (const { range } of groupsOf(this.json, inside)) {
      if (isLarge(range)) yield* this.field(object, range);
      else {
        Object.assign(object, this.parseFields(range));
        yield;
      }
    }
    return object;
  }

  /** Parses a field with a large value. Its name is parsed with a placeholder, so it is checked like any other. */
  private *field(object: Record<string, unknown>, range: Range): Generator<void, void> {
    const { from } = trimmed(this.json, range);
    if (this.json[from] !== QUOTE) throw notJson();
    let colon = endOfText(this.json, from) + 1;
    while (WHITE_SPACE.has(this.json[colon] ?? 0)) colon += 1;
    if (this.json[colon] !== COLON) throw notJson();
    const value = yield* this.largeValue({ from: colon + 1, to: range.to });
    const name = this.json.subarray(from, colon + 1);
    const [key] = Object.keys(this.parse(joined('{', name, '0}')) as object);
    if (key === undefined) throw notJson();
    // The parser refuses this, too, but it never sees this name and its value together.
    if (key === 'constructor' && Object.hasOwn(Object(value) as object, 'prototype')) throw notJson();
    object[key] = value;
  }

  private parseList({ from, to }: Range, count: number): readonly unknown[] {
    const list = this.parse(joined('[', this.json.subarray(from, to), ']')) as unknown[];
    if (list.length !== count) throw notJson();
    return list;
  }

  private parseFields({ from, to }: Range): object {
    const fields = this.parse(joined('{', this.json.subarray(from, to), '}')) as object;
    // A comma without a field before or after it.
    if (Object.keys(fields).length === 0) throw notJson();
    return fields;
  }
}

const isLarge = ({ from, to }: Range): boolean => to - from > PIECE_BYTES;

interface Group {
  readonly range: Range;
  /** The number of entries or fields; 1 for a large one. */
  readonly count: number;
}

/** Groups the entries of a list, or the fields of an object, into pieces. */
function* groupsOf(json: Uint8Array, { from, to }: Range): Generator<Group> {
  let first = from;
  let last = from;
  let count = 0;
  for (let next = from; next <= to; next = last + 1) {
    const end = endOfChild(json, { from: next, to });
    if (count > 0 && end - first > PIECE_BYTES) {
      yield { range: { from: first, to: last }, count };
      first = next;
      count = 0;
    }
    count += 1;
    last = end;
  }
  yield { range: { from: first, to: last }, count };
}

/** @returns the end of the first entry or field of the range: the comma after it, or the end of the range */
function endOfChild(json: Uint8Array, { from, to }: Range): number {
  let depth = 0;
  for (let at = from; at < to; at++) {
    const kind = KINDS[json[at] ?? 0];
    if (kind === Kind.text) at = endOfText(json, at);
    else if (kind === Kind.open) depth += 1;
    else if (kind === Kind.close) depth -= 1;
    else if (kind === Kind.comma && depth === 0) return at;
    if (depth < 0) throw notJson();
  }
  if (depth !== 0) throw notJson();
  return to;
}

function trimmed(json: Uint8Array, { from, to }: Range): Range {
  while (from < to && WHITE_SPACE.has(json[from] ?? 0)) from += 1;
  while (to > from && WHITE_SPACE.has(json[to - 1] ?? 0)) to -= 1;
  return { from, to };
}

const joined = (before: string, bytes: Uint8Array, after: string): Buffer =>
  Buffer.concat([Buffer.from(before), bytes, Buffer.from(after)]);

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

function depthChangeOf(kind: number | undefined): number {
  if (kind === Kind.open) return 1;
  return kind === Kind.close ? -1 : 0;
}

export interface JsonBounds {
  /** Entries of lists and fields of objects, wherever they are. */
  readonly valuesMax: number;
  /** Lists and objects within each other, the outermost included. */
  readonly depthMax: number;
}

/** This many bytes are scanned in a few milliseconds. */
const SCANNED_BYTES = 512 * 1024;

/**
 * Counts values and levels of a JSON text by its structural characters, before parsing, which builds all values and
 * costs a hundred times more. For valid JSON the figures are exact; the parser refuses any other text. Yields after
 * each piece of a few milliseconds.
 *
 * @returns the bound that the text exceeds, or null
 */
export function* exceededBoundInPieces(
  json: Uint8Array,
  { valuesMax, depthMax }: JsonBounds,
): Generator<void, keyof JsonBounds | null> {
  let values = 0;
  let depth = 0;
  let pieceEnd = SCANNED_BYTES;
  // The first entry has no comma before it, so it is counted at the first byte that does not close the list or object.
  let isFirst = false;
  for (let at = 0; at < json.length; at++) {
    if (at >= pieceEnd) {
      yield;
      pieceEnd = at + SCANNED_BYTES;
    }
    const kind = KINDS[json[at] ?? 0];
    if (kind === Kind.space) continue;
    if (isFirst && kind !== Kind.close) values += 1;
    isFirst = kind === Kind.open;
    depth += depthChangeOf(kind);
    if (kind === Kind.text) at = endOfText(json, at);
    else if (kind === Kind.comma) values += 1;
    if (depth > depthMax) return 'depthMax';
    if (values > valuesMax) return 'valuesMax';
  }
  return null;
}

/** @returns the index of the quote that closes the text beginning at `start`; without one, the number of bytes */
export function endOfText(json: Uint8Array, start: number): number {
  for (let at = start + 1; at < json.length; at++) {
    const byte = json[at];
    if (byte === QUOTE) return at;
    if (byte === BACKSLASH) at += 1;
  }
  return json.length;
}
