import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { holdsCardNumber } from './card-number';

const NUMBERS = [
  '4242424242424242',
  '4000000000000002',
  '5555555555554444',
  '5105105105105100',
  '378282246310005',
  '4012888888881881',
  '6011111111111117',
];
const SEPARATORS = [
  ...[' ', '-', '.', '/', ':', ',', '_', '·', '|', '+', ' - ', ', ', '  ', '\t', '\n', '\r\n', '\x1f'],
  // Non-breaking spaces, spaces of other widths, and other line ends.
  ...['\u00a0', '\u202f', '\u3000', '\u2028'],
  // Hyphens and dashes, also full-width.
  ...['\u2010', '\u2011', '\u2013', '\u2014', '\u2212', '\u05be', '\uff0d'],
  // Direction marks and zero-width characters beside a blank.
  ...['\u200e ', ' \u200f', '\u200b-'],
];
const INVISIBLE = ['\u00ad', '\u200b', '\u200d', '\u200e', '\u200f', '\u2060', '\ufeff', '\ufe0f\u20e3'];
const ZEROS = [0x0660, 0x06f0, 0x0966, 0x1946, 0xff10, 0x1d7ce, 0x1d7e2, 0x1e950];

const grouped = (digits: string, separator: string, size = 4) =>
  (digits.match(new RegExp(`.{1,${size}}`, 'g')) ?? []).join(separator);
const embossed = (digits: string, separator: string) =>
  digits.length === 15
    ? [digits.slice(0, 4), digits.slice(4, 10), digits.slice(10)].join(separator)
    : grouped(digits, separator);
const inDigitsFrom = (zero: number, digits: string) =>
  digits.replace(/\d/g, (digit) => String.fromCodePoint(zero + Number(digit)));

describe('holdsCardNumber detects', () => {
  it.each(NUMBERS)('%s in any notation', (digits) => {
    const spellings = [
      digits,
      ...SEPARATORS.flatMap((separator) => [
        grouped(digits, separator),
        embossed(digits, separator),
        grouped(digits, separator, 1),
      ]),
      ...INVISIBLE.flatMap((sign) => [grouped(digits, sign), grouped(digits, sign, 1)]),
      ...ZEROS.flatMap((zero) => [digits, grouped(digits, ' ')].map((text) => inDigitsFrom(zero, text))),
      digits.replace(/[1-9]/g, (digit) => String.fromCodePoint(0x245f + Number(digit))),
      // Broken across two lines.
      grouped(digits, ' ').replace(/^(\S+ \S+) /, '$1\n'),
    ];
    for (const spelling of spellings) {
      const texts = [
        spelling,
        `card ${spelling}, thank you`,
        `abc${spelling}xyz`,
        `order${spelling}`,
        `card:${spelling}`,
        `"${spelling}"`,
        `retry-${spelling}-1`,
        `2026-11-22 ${spelling} 12/34`,
        `12 34 ${spelling} 123`,
        `הכרטיס ${spelling} שלי`,
        `line\n${spelling}\nline`,
      ];
      expect(texts.filter((text) => !holdsCardNumber(text))).toEqual([]);
    }
  });

  it('numbers of all networks, in their lengths', () => {
    const numbers = [
      ...['4222222222222', '36227206271667', '30569309025904', '3566002020360505', '2223003122003222'],
      ...['6200000000000005', '6304000000000000000', '6759649826438453', '6011000990139424'],
      ...['371449635398431', '3714-496353-98431', '3056-930902-5904', '6304 0000 0000 0000 000'],
    ];
    expect(numbers.filter((number) => !holdsCardNumber(number))).toEqual([]);
  });

  it('a card number beside other numbers', () => {
    const iban = 'DE89 3704 0044 0532 0130 00';
    for (const other of [iban, randomUUID(), '42', '1,234.56']) {
      expect(holdsCardNumber(`${other} 4242 4242 4242 4242`)).toBe(true);
      expect(holdsCardNumber(`4242424242424242 ${other}`)).toBe(true);
    }
    for (const other of ['PO12', 'AB12', 'IL62 0108 0000', 'DE00 3704 0044 0532 0130 00'])
      expect(holdsCardNumber(`${other} 4242 4242 4242 4242`)).toBe(true);
    expect(holdsCardNumber('AB12 4242424242424242')).toBe(true);
    expect(holdsCardNumber('1 2 3 4 2 4 2 4 2 4 2 4 2 4 2 4 2 4 2 1 2 3')).toBe(true);
  });
});

/** Valid numbers whose length is a multiple of four, so that groups of other digits may follow theirs. */
const WHOLE_GROUPS = [
  'AT61 1904 3002 3457 3201',
  'BE68 5390 0754 7034',
  'ES91 2100 0418 4502 0005 1332',
  'PL61 1090 1014 0000 0712 1981 2874',
];

describe('holdsCardNumber detects a card number after the bank account', () => {
  it.each(WHOLE_GROUPS)('%s', (account) => {
    expect(holdsCardNumber(account)).toBe(false);
    const accounts = [account, account.replaceAll(' ', '')];
    const texts = NUMBERS.flatMap((digits) =>
      accounts.flatMap((one) => [`${one} ${digits}`, `${one} ${embossed(digits, ' ')}`, `${one}, ${digits}`]),
    );
    expect(texts.filter((text) => !holdsCardNumber(text))).toEqual([]);
  });
});

describe('holdsCardNumber does not detect', () => {
  it.each([
    ['nothing', ''],
    ['words', 'Monthly subscription'],
    ['a wrong check digit', '4242424242424241'],
    ['a wrong check digit, grouped', '4242 4242 4242 4243'],
    ['12 digits', '424242424242'],
    ['20 digits', '42424242424242424242'],
    ['a number that no card begins with', '9999999999999995'],
    ['other groups', '42 42424242 424242'],
    ['other separators', '4242 4242-4242/4242'],
    ['digits with a letter between them', '42424242x42424242, 4242x4242x4242x4242 and 4242424a242424242'],
    ['a phone number', '+972 52-123-4567'],
    ['phone numbers', '052-123-4567, 03-765-4321, +44 20 7946 0958'],
    ['a bank account', 'IL62 0108 0000 0009 9999 999'],
    ['a bank account abroad', 'GB82 WEST 1234 5698 7654 32'],
    ['another one', 'DE89 3704 0044 0532 0130 00'],
    ['one whose digits would be one', 'DE95 4242 4242 4242 4242 42 for work'],
    ['a UUID', '123e4567-e89b-42d3-a456-426614174000'],
    ['a UUID whose digits would be one', '42424242-4242-4242-4242-4242aaaaaaaa'],
    ['a date and a time', '2026-11-22 12:33:02.123'],
    ['a time without marks', '20261122123302'],
    ['a time in milliseconds', '1795350782123'],
    ['an invoice number', 'Invoice 2026-000123'],
    ['invoice numbers', 'Invoices 10001, 10002, 10003 and 10004'],
    ['an amount', '1,234,567,890.12 and 123456789012.34'],
    ['a bar code', '7290000066318'],
    ['a tax id', '514000000'],
    ['digits beyond the end of a sentence', '4242. And then 4242, 4242, 4242'],
  ])('%s', (_, text) => {
    expect(holdsCardNumber(text)).toBe(false);
  });

  it('random UUIDs', () => {
    const seen = Array.from({ length: 50_000 }, () => randomUUID()).filter(holdsCardNumber);
    expect(seen).toEqual([]);
  });
});

/** Mulberry32, seeded: yields the same texts in each run. */
function randomNumbers(seed: number) {
  let state = seed;
  const next = () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const from = (low: number, high: number) => low + Math.floor(next() * (high - low + 1));
  const digits = (count: number) => Array.from({ length: count }, () => from(0, 9)).join('');
  return { from, digits };
}
type Random = ReturnType<typeof randomNumbers>;

const isoDate = ({ from }: Random) =>
  `20${from(20, 30)}-${String(from(1, 12)).padStart(2, '0')}-${String(from(1, 28)).padStart(2, '0')}`;
const amount = ({ from, digits }: Random) => `${from(1, 99)},${digits(3)}.${digits(2)}`;
const mobile = ({ digits }: Random) => `05${digits(1)}-${digits(3)}-${digits(4)}`;
/** With check digits (ISO 13616), in the printed notation. */
function iban(country: string, account: string): string {
  const inDigits = `${account}${country}00`.replace(/[A-Z]/g, (letter) => String(parseInt(letter, 36)));
  const check = String(98n - (BigInt(inDigits) % 97n)).padStart(2, '0');
  return grouped(`${country}${check}${account}`, ' ');
}

describe('holdsCardNumber has few false positives among 20,000 texts of a kind', () => {
  it.each<[kind: string, most: number, (random: Random) => string]>([
    ['a tax id, a date and an amount', 0.001, (r) => `5${r.digits(8)} ${isoDate(r)} ${amount(r)}`],
    ['a German bank account', 0.001, (r) => iban('DE', r.digits(18))],
    ['an Israeli bank account', 0.001, (r) => iban('IL', r.digits(19))],
    ['a bank account in one', 0.001, (r) => iban('BE', r.digits(12)).replaceAll(' ', '')],
    ['a bank account and a date', 0.001, (r) => `IBAN ${iban('DE', r.digits(18))} ${isoDate(r)}`],
    ['a mistyped bank account', 0.04, (r) => `DE00 ${grouped(r.digits(18), ' ')}`],
    ['an order of 13 digits that begins with 5', 0.001, (r) => `5${r.digits(12)}`],
    ['three invoices', 0.001, (r) => `Invoices 4${r.digits(4)} 5${r.digits(4)} 6${r.digits(4)}`],
    ['a key', 0.001, (r) => `order-${r.digits(5)}-${isoDate(r)}-${r.digits(4)}`],
    ['two phone numbers', 0.001, (r) => `${mobile(r)} ${mobile(r)}`],
    ['phone numbers in another spelling', 0.001, (r) => `+972 5${r.digits(8)}, +972 5${r.digits(8)}`],
    ['four numbers of four digits', 0.03, (r) => Array.from({ length: 4 }, () => r.digits(4)).join(' ')],
    ['16 digits', 0.03, (r) => r.digits(16)],
    // One in ten has a valid check digit by chance.
    ['16 digits that begin with 4', 0.11, (r) => `4${r.digits(15)}`],
  ])('%s: at most %d', (_, most, textOf) => {
    const random = randomNumbers(9);
    const texts = Array.from({ length: 20_000 }, () => textOf(random));
    expect(new Set(texts).size).toBeGreaterThan(19_000);
    expect(texts.filter(holdsCardNumber).length / texts.length).toBeLessThanOrEqual(most);
  });
});

const digit = fc.integer({ min: 0, max: 9 });
/** All but the last digit of a Visa card number of 13, 16 or 19 digits. */
const beginning = fc
  .constantFrom(11, 14, 17)
  .chain((length) => fc.array(digit, { minLength: length, maxLength: length }))
  .map((rest) => `4${rest.join('')}`);
/** The check digit, computed with decimal arithmetic independently of the code under test. */
const checkDigitOf = (digits: string) => {
  const worth = [...digits].reverse().map((text, index) => {
    const value = Number(text) * (index % 2 === 0 ? 2 : 1);
    return value > 9 ? 1 + (value % 10) : value;
  });
  return (10 - (worth.reduce((total, value) => total + value, 0) % 10)) % 10;
};

it('holdsCardNumber accepts exactly the valid check digit', () => {
  fc.assert(
    fc.property(beginning, digit, (digits, last) => {
      expect(holdsCardNumber(`${digits}${last}`)).toBe(last === checkDigitOf(digits));
    }),
    { numRuns: 5_000 },
  );
});

/** In processor time, which does not count other processes. */
function readingMs(text: string, found: boolean): number {
  const before = process.cpuUsage();
  expect(holdsCardNumber(text)).toBe(found);
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1_000;
}

/**
 * A text of four times the length takes about four times as long. Quadratic time would take sixteen times.
 */
const GROWTH_MAX = 9;
/** Shorter times are too imprecise to compare. */
const LEAST_MS = 2;
const ROUNDS = 4;

/**
 * The minimum of several rounds for each length, because caches and other processes slow single ones. The lengths take
 * turns, because a busy phase of the machine would slow all rounds of one length.
 */
function growth(text: (bytes: number) => string, found = false): number {
  const [short, long] = [text(8_000), text(32_000)];
  const rounds = Array.from(
    { length: ROUNDS },
    () => [readingMs(short, found), readingMs(long, found)] as const,
  );
  const least = (column: 0 | 1) => Math.min(...rounds.map((round) => round[column]));
  return least(1) / Math.max(LEAST_MS, least(0));
}

describe('holdsCardNumber takes linear time for', () => {
  it.each([
    ...[
      '1 ',
      '4 ',
      '0,',
      '4',
      '4\n',
      '4000-',
      '3782 822463 ',
      '4242424242424241 ',
      '0000 ',
      '1---',
      'a1',
      ' ',
    ],
    ...['6 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 ', '42424242-4242-4242-', 'AA11', 'AA11 ', 'MT31 '],
    ...['DE89 3704 0044 0532 0130 01 ', '\u0664 ', '4\u200b', '\ufdfa', '\u0344\u0327', '\u{1d7ce}'],
  ])('%j', (unit) => {
    expect(growth((bytes) => unit.repeat(bytes / Buffer.byteLength(unit)))).toBeLessThan(GROWTH_MAX);
  });

  it('bank accounts followed by a card number', () => {
    const account = 'DE89 3704 0044 0532 0130 01 ';
    const text = (bytes: number) => `${account.repeat(bytes / account.length)}; 4242424242424242`;
    expect(growth(text, true)).toBeLessThan(GROWTH_MAX);
  });
});
