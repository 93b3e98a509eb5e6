/** Invalid values for a field as JSON text (see `invalid-fields.ts`), and whether the field is required. */
export interface Kind {
  readonly wrong: readonly string[];
  readonly required: boolean;
}

/** A valid body, and the invalid values of each of its fields. */
export interface BodyUnderTest {
  readonly name: string;
  readonly method: 'POST' | 'PUT';
  readonly path: string;
  readonly valid: object;
  readonly fields: Readonly<Record<string, Kind>>;
}

const OTHER_THINGS = ['true', 'false', '{}', '[]', '{"constructor":5}', '[1]'];
const NOT_NUMBERS = ['"1"', '"abc"', '""', ...OTHER_THINGS];
const NOT_TEXT = ['5', '0', '1e309', ...OTHER_THINGS, '["x"]'];
const BAD_TEXT = ['""', '"   "', '"a\\u0000b"', '"\\ud800"', '"\\udc00x"'];
const HUGE = ['1e21', '1e308', '1e309', '-1e309', '99999999999999999999'];

export const kind = (wrong: readonly string[], required: boolean): Kind => ({ wrong, required });
export const required = (of: Kind): Kind => ({ ...of, required: true });

export const text = (max: number) =>
  kind([...NOT_TEXT, ...BAD_TEXT, JSON.stringify('x'.repeat(max + 1))], false);
export const choice = kind([...NOT_TEXT, ...BAD_TEXT, '"NOPE"', '"toString"', '"__proto__"'], false);
export const id = kind([...NOT_NUMBERS, ...HUGE, '0', '-0', '-1', '1.5', '9007199254740993'], false);
export const days = kind([...NOT_NUMBERS, ...HUGE, '-1', '1.5', '366'], false);
export const money = kind(
  [...NOT_NUMBERS, ...HUGE, '0', '-0', '-1', '0.001', '1.005', '1e-7', '1000000000000'],
  false,
);
export const moneyOrZero = kind(
  [...NOT_NUMBERS, ...HUGE, '-1', '-0.01', '0.001', '1.005', '1e-7', '1000000000000'],
  false,
);
export const code = kind(
  [
    ...NOT_NUMBERS.filter((literal) => literal !== '""'),
    ...HUGE,
    '"12"',
    '" "',
    '-1',
    '1.5',
    '9007199254740993',
  ],
  false,
);
export const quantity = kind(
  [...NOT_NUMBERS, ...HUGE, '0', '-0', '-1', '0.00001', '1e-7', '10000000000'],
  false,
);
export const unitPrice = kind([...NOT_NUMBERS, ...HUGE, '-1', '-0.0001', '0.00001', '10000000000'], false);
export const percent = kind([...NOT_NUMBERS, ...HUGE, '-1', '100.0001', '18.00001', '101'], false);
export const date = kind(
  [
    ...NOT_TEXT,
    ...BAD_TEXT,
    '"2026-02-30"',
    '"2026-1-5"',
    '"2026-13-01"',
    '"21/11/2026"',
    '"2026-11-21T00:00:00Z"',
    '"0000-01-01"',
    '"٢٠٢٦-١١-٢١"',
  ],
  false,
);
export const currency = kind([...NOT_TEXT, ...BAD_TEXT, '"ils"', '"ZZZ"', '"ILSX"', '"₪"'], false);
export const country = kind([...NOT_TEXT, ...BAD_TEXT, '"il"', '"ISR"', '"ZZ"', '"I"'], false);
export const overlapHours = kind([...NOT_NUMBERS, ...HUGE, '-1', '0.5', '169'], false);
export const timestamp = kind(
  [
    ...NOT_TEXT,
    ...BAD_TEXT,
    '"yesterday"',
    '"1763710000"',
    '"2026-02-30"',
    '"2026-11-21T10:00:00"',
    '"2026-11-21T25:00:00Z"',
    '"2026-11-21T10:00:00Z; drop table companies"',
    '"٢٠٢٦-١١-٢١"',
    JSON.stringify(`2026-11-21T10:00:00.${'0'.repeat(5_000)}Z`),
  ],
  false,
);
export const url = kind(
  [
    ...NOT_TEXT,
    ...BAD_TEXT,
    '"nonsense"',
    '"https://"',
    '"https:///"',
    '"https://exa mple.com/"',
    '"https://127.0.0.1:99999/"',
    '"https://[::1/"',
    '"http://127.0.0.1/"',
    '"ftp://127.0.0.1/"',
    '"file:///etc/passwd"',
    '"javascript:alert(1)"',
    '"//127.0.0.1/"',
    '"https://user:secret@127.0.0.1/"',
    '"https://user@127.0.0.1/"',
    JSON.stringify(`https://127.0.0.1/${'x'.repeat(2048)}`),
    JSON.stringify(`https://127.0.0.1/${'😀'.repeat(1_100)}`),
  ],
  false,
);
export const eventTypes = kind(
  [
    '5',
    '"document.created"',
    '{}',
    '[]',
    '[5]',
    '[null]',
    '[["*"]]',
    JSON.stringify(Array.from({ length: 101 }, () => '*')),
    JSON.stringify(['x'.repeat(101)]),
  ],
  false,
);
export const eventType = kind(
  ['"nope"', '"toString"', '"document.*"', '"**"', '""', '"DOCUMENT.CREATED"', '"document.created "'],
  false,
);
export const objects = kind(['5', '"x"', 'true', '{}', '{"0":{}}', '[[]]', '[[{}]]', '{"length":1}'], false);
export const ids = kind(
  [
    '5',
    '"x"',
    'true',
    '{}',
    '{"0":1}',
    '["1"]',
    '[0]',
    '[-1]',
    '[1.5]',
    '[null]',
    '[[1]]',
    '[9007199254740993]',
  ],
  false,
);
export const allocationNumber = kind([...text(64).wrong, '"12 34"', '"מספר"', '"1\\n"', '"a\\tb"'], false);
export const email = kind([...text(254).wrong, '"a"', '"a@b"', '"a b@c.d"', '"@"'], false);
export const boolean = kind(
  ['"true"', '"false"', '""', '0', '1', '-0', '"yes"', '{}', '[]', '[true]'],
  false,
);
export const serials = kind(
  [
    '5',
    '"A"',
    'true',
    '{}',
    '{"0":"A"}',
    '[5]',
    '[null]',
    '[["A"]]',
    JSON.stringify(Array.from({ length: 5_001 }, (_, n) => `${n}`)),
    JSON.stringify(['x'.repeat(101)]),
  ],
  false,
);
/** An empty text or null in an optional text counts as left out, or clears it (contract §1.5). */
export const clearableText = (max: number) =>
  kind(
    text(max).wrong.filter((literal) => literal !== '""'),
    false,
  );
/** For an edit, null is invalid as well (contract §1.5). */
export const onEdit = (of: Kind): Kind => ({ ...of, wrong: [...of.wrong, 'null'] });
