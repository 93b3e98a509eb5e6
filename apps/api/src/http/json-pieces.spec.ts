import { parse as parseSecurely } from 'secure-json-parse';
import { parsedInPieces } from './json-pieces';

const PIECE = 128 * 1024;

const whole = (bytes: Uint8Array): unknown => parseSecurely(Buffer.from(bytes).toString());

interface Parsed {
  readonly value: unknown;
  readonly pieces: readonly number[];
}

/** Parses a text, and records the size of each piece. */
function parse(text: string): Parsed {
  const pieces: number[] = [];
  const steps = parsedInPieces(Buffer.from(text), (bytes) => {
    pieces.push(bytes.length);
    return whole(bytes);
  });
  for (;;) {
    const { done, value } = steps.next();
    if (done) return { value, pieces };
  }
}

const SPACE = ' \n\t\r'.repeat(PIECE / 4 + 1);
const LONG = JSON.stringify('y'.repeat(2 * PIECE));
const rows = (count: number): string =>
  Array.from({ length: count }, (_, n) => `{"n":${n},"t":"a \\"[{, é","l":[1,[2,{}]],"o":{"x":null}}`).join(
    ' , ',
  );

describe('a JSON text parsed in pieces', () => {
  it.each([
    ['a small text', '{"a":[1,2,{"b":null}]}'],
    ['a list of many', `{"a":[${rows(20_000)}],"b":1}`],
    ['lists of many within each other', `[[${rows(5_000)}],[[${rows(5_000)}],${rows(5_000)}]]`],
    [
      'an object of many fields',
      `{${Array.from({ length: 30_000 }, (_, n) => `"field ${n}":{"n":${n}}`).join(',')}}`,
    ],
    ['names that come twice, the last one counts', `{"a":[${rows(5_000)}],"b":2,"a":3,"b":[${rows(5_000)}]}`],
    ['one long text', LONG],
    ['long texts', `{"a":${LONG},"b":[${LONG},1,${LONG}],"c":2}`],
    ['a long name', `{${LONG}:1,"a":${LONG}}`],
    ['names with escapes', `{"\\u0061\\"":${LONG},"b\\\\":${LONG}}`],
    [
      'space everywhere',
      `${SPACE}{${SPACE}"a"${SPACE}:${SPACE}[${SPACE}1${SPACE},${SPACE}${LONG}${SPACE}]${SPACE}}${SPACE}`,
    ],
    ['nothing but space in a list and an object', `{"a":[${SPACE}],"b":{${SPACE}}}`],
    ['entries that are lists, texts and numbers', `[${'[],"",0,-1e5,true,{},'.repeat(20_000)}null]`],
  ])('gives the same value as parsing it at once: %s', (_, text) => {
    const { value, pieces } = parse(text);
    expect(value).toEqual(whole(Buffer.from(text)));
    expect(Math.max(...pieces)).toBeLessThanOrEqual(Math.max(PIECE, LONG.length) + 10);
  });

  it('is split into pieces at any nesting', () => {
    for (const text of [`[${rows(20_000)}]`, `{"a":{"b":[{"c":[${rows(20_000)}]}]}}`]) {
      expect(parse(text).pieces.length).toBeGreaterThan(text.length / PIECE - 1);
    }
  });

  it.each([
    ['a comma at the end of a list', `[${rows(5_000)},]`],
    ['a comma at the end of an object', `{"a":[${rows(5_000)}],}`],
    ['a comma at the beginning', `[,${rows(5_000)}]`],
    ['two commas', `[${rows(5_000)},,${rows(5_000)}]`],
    ['two commas in an object', `{"a":${LONG},,"b":1}`],
    ['a comma between much space', `[${SPACE},${SPACE}]`],
    ['nothing between commas but space', `{"a":1,${SPACE},"b":1}`],
    ['a list that is closed as an object', `[${rows(5_000)}}`],
    ['an entry that is closed as another', `[${rows(5_000)},[1}]`],
    ['a large entry that is closed as another', `{"a":[${rows(5_000)}}}`],
    ['a list that is not closed', `{"a":[${rows(5_000)}}`],
    ['a list that is closed twice', `{"a":[${rows(5_000)}]]}`],
    ['a text after the end', `{"a":[${rows(5_000)}]}{}`],
    ['two texts', `[${rows(5_000)}],[${rows(5_000)}]`],
    ['a text that is not closed', `{"a":"${'y'.repeat(2 * PIECE)}`],
    ['a field without a name', `{${LONG}}`],
    ['a field without a value', `{"a":1,"b":,"c":${LONG}}`],
    ['a name that is a number', `{1:${LONG}}`],
    ['a name that is not closed', `{"a:[${rows(5_000)}]}`],
    ['a name that is a list', `{[1]:${LONG}}`],
    ['two colons', `{"a"::[${rows(5_000)}]}`],
    ['space that JSON does not know', `{"a"\f:[${rows(5_000)}]}`],
    ['the same before a list', `{"a":\u000b[${rows(5_000)}]}`],
    ['the same after one', `{"a":[${rows(5_000)}]\u0001}`],
    ['a mark of the encoding inside', `{"a":\ufeff[${rows(5_000)}]}`],
    ['a name of the prototype', `{"a":1,"__proto__":[${rows(5_000)}]}`],
    ['the same with escapes', `{"\\u005f_proto__":[${rows(5_000)}]}`],
    ['a constructor with a prototype', `{"constructor":{"a":${LONG},"prototype":1}}`],
    ['a constructor with a large prototype', `{"constructor":{"prototype":[${rows(5_000)}]}}`],
  ])('is refused like a text parsed at once: %s', (_, text) => {
    expect(() => whole(Buffer.from(text))).toThrow();
    expect(() => parse(text)).toThrow();
  });

  it('gives the same value or is refused alike, with any one byte changed', () => {
    const text = `{"a":[${rows(3_000)}],"b":{"c":[${rows(2_000)}]},"d":"e"}`;
    const places = [0, 1, 4, 5, 6, text.length - 1, text.length - 2, text.length - 5, text.length - 10];
    for (let place = 7; place < text.length; place += 24_989) places.push(place);
    for (const place of places) {
      for (const character of '{}[],:" 1\\x') {
        const changed = text.slice(0, place) + character + text.slice(place + 1);
        expect(outcomeOf(() => parse(changed).value)).toBe(outcomeOf(() => whole(Buffer.from(changed))));
      }
    }
  });
});

function outcomeOf(parsed: () => unknown): string {
  try {
    return JSON.stringify(parsed());
  } catch {
    return 'refused';
  }
}
