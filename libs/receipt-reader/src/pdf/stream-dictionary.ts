/** The entries of a stream's dictionary that describe its data. */
export interface StreamDictionary {
  /** Full names, in the order in which a reader applies them. Empty if the data is stored as it is. */
  readonly filters: readonly string[];
  /** Object number of a filter list that is an object of its own. */
  readonly filterReference?: number;
  /** Bytes. */
  readonly length?: number;
  /** Object number of a length that is an object of its own. */
  readonly lengthReference?: number;
  readonly isImage: boolean;
  /** Of an image. */
  readonly bitsPerComponent?: number;
}

const ABBREVIATIONS: Readonly<Record<string, string>> = {
  Fl: 'FlateDecode',
  LZW: 'LZWDecode',
  A85: 'ASCII85Decode',
  AHx: 'ASCIIHexDecode',
  RL: 'RunLengthDecode',
  CCF: 'CCITTFaxDecode',
  DCT: 'DCTDecode',
};
const SPACE = /[\0\t\n\f\r ]/;
const DELIMITER = /[\0\t\n\f\r ()<>[\]{}/%]/;

/** Parses the text of a stream's dictionary, from its `<<`. Unknown and malformed parts are skipped. */
export function parseStreamDictionary(text: string): StreamDictionary {
  const entries = topLevelEntries(tokensOf(text));
  const [subtype] = entries.get('/Subtype') ?? [];
  // pdfjs looks for the abbreviation first, as in inline images.
  const filter = namesIn(entries.get('/F')) ? entries.get('/F') : entries.get('/Filter');
  const filterReference = referenceIn(filter);
  const length = entries.get('/Length') ?? [];
  const lengthReference = referenceIn(length);
  const bits = entries.get('/BPC') ?? entries.get('/BitsPerComponent') ?? [];
  return {
    filters: filterNames(filter ?? []),
    ...(filterReference !== undefined && { filterReference }),
    ...(length.length === 1 && { length: Number(length[0]) }),
    ...(lengthReference !== undefined && { lengthReference }),
    isImage: subtype === '/Image',
    ...(bits.length === 1 && { bitsPerComponent: Number(bits[0]) }),
  };
}

/** Returns the names of a stream's filters from the text of a PDF object, which is one name or an array of them. */
export function parseFilters(text: string): readonly string[] {
  return filterNames(tokensOf(text));
}

function filterNames(tokens: readonly string[]): string[] {
  return tokens
    .filter((token) => token.startsWith('/'))
    .map((token) => ABBREVIATIONS[token.slice(1)] ?? token.slice(1));
}

const namesIn = (value: readonly string[] | undefined): boolean =>
  value?.some((token) => token.startsWith('/')) ?? false;

function referenceIn(value: readonly string[] | undefined): number | undefined {
  if (value?.length !== 3 || value[2] !== 'R') return undefined;
  const number = Number(value[0]);
  return Number.isSafeInteger(number) ? number : undefined;
}

/** The tokens of each value by its key. Nested dictionaries are left out. */
function topLevelEntries(tokens: readonly string[]): ReadonlyMap<string, readonly string[]> {
  const entries = new Map<string, string[]>();
  let lists = 0;
  let value: string[] | undefined;
  for (const token of topLevelTokens(tokens)) {
    lists += LIST_DEPTH[token] ?? 0;
    // A name is a key, unless it is in a list or directly after a key.
    const isKey = token.startsWith('/') && lists <= 0 && value?.length !== 0;
    if (isKey) entries.set(token, (value = []));
    else value?.push(token);
  }
  return entries;
}

const LIST_DEPTH: Readonly<Record<string, number>> = { '[': 1, ']': -1 };
const DICTIONARY_DEPTH: Readonly<Record<string, number>> = { '<<': 1, '>>': -1 };

function topLevelTokens(tokens: readonly string[]): string[] {
  let depth = 0;
  return tokens.filter((token) => {
    const change = DICTIONARY_DEPTH[token] ?? 0;
    depth += change;
    return change === 0 && depth === 1;
  });
}

/** Strings become one token without their content. */
function tokensOf(text: string): string[] {
  const tokens: string[] = [];
  for (let at = 0; at < text.length;) {
    const character = text[at]!;
    const end = endOfToken(text, at);
    if (character === '(') tokens.push('()');
    else if (character !== '%' && !SPACE.test(character)) tokens.push(unescaped(text.slice(at, end)));
    at = end;
  }
  return tokens;
}

function endOfToken(text: string, at: number): number {
  const character = text[at]!;
  const pair = text.slice(at, at + 2);
  if (pair === '<<' || pair === '>>') return at + 2;
  if (character === '(') return endOfString(text, at);
  if (character === '<') return indexAfter(text, '>', at);
  if (character === '%') return indexAfter(text, '\n', at);
  let end = at + 1;
  if (DELIMITER.test(character) && character !== '/') return end;
  while (end < text.length && !DELIMITER.test(text[end]!)) end += 1;
  return end;
}

function endOfString(text: string, at: number): number {
  let depth = 0;
  for (let end = at; end < text.length; end++) {
    if (text[end] === '\\') end += 1;
    else if (text[end] === '(') depth += 1;
    else if (text[end] === ')' && --depth === 0) return end + 1;
  }
  return text.length;
}

function indexAfter(text: string, mark: string, at: number): number {
  const found = text.indexOf(mark, at);
  return found === -1 ? text.length : found + 1;
}

function unescaped(token: string): string {
  if (!token.startsWith('/')) return token;
  return token.replace(/#([0-9a-f]{2})/gi, (_, code: string) => String.fromCharCode(parseInt(code, 16)));
}
