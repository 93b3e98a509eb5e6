/** A date as printed in a row. */
export interface PrintedDate {
  readonly start: number;
  readonly end: number;
  /** YYYY-MM-DD. An ambiguous date is read in the document's `DateOrder`. */
  readonly date: string;
  readonly ambiguous: boolean;
}

/** Decides whether 03/04 is 3 April or 4 March. */
export type DateOrder = 'day-first' | 'month-first';

const MONTH_WORDS: readonly (readonly string[])[] = [
  'JAN JANUARY JANUAR JANVIER JANV ENERO ENE GENNAIO GEN JANUARI JANUARY JANEIRO STYCZNIA STY LEDNA OCAK JANNER ינואר ינו'.split(
    ' ',
  ),
  'FEB FEBRUARY FEBRUAR FEVRIER FEVR FEV FEBRERO FEBBRAIO FEBRUARI FEVEREIRO LUTEGO LUT UNORA SUBAT פברואר פבר'.split(
    ' ',
  ),
  'MAR MARCH MARZ MRZ MAERZ MARS MARZO MAART MRT MAC MARCO MARCA BREZNA MART MAREC מרץ מרס'.split(' '),
  'APR APRIL AVRIL AVR ABRIL ABR APRILE KWIETNIA KWI DUBNA NISAN אפריל אפר'.split(' '),
  'MAY MAI MAYO MAGGIO MAG MEI MAIO MAJ MAJA KVETNA MAYIS מאי'.split(' '),
  'JUN JUNE JUNI JUIN JUNIO GIUGNO GIU JUNHO CZERWCA CZE CERVNA HAZIRAN יוני יונ'.split(' '),
  'JUL JULY JULI JUILLET JUIL JULIO LUGLIO LUG JULAI JULHO LIPCA LIP CERVENCE TEMMUZ יולי יול'.split(' '),
  'AUG AUGUST AOUT AGOSTO AGO AUGUSTUS OGOS OGO SIERPNIA SIE SRPNA AGUSTOS אוגוסט אוג'.split(' '),
  'SEP SEPT SEPTEMBER SEPTEMBRE SEPTIEMBRE SETTEMBRE SET SETEMBRO WRZESNIA WRZ ZARI EYLUL ספטמבר ספט'.split(
    ' ',
  ),
  'OCT OCTOBER OKTOBER OKT OCTOBRE OCTUBRE OTTOBRE OTT OUTUBRO OUT PAZDZIERNIKA PAZ RIJNA EKIM אוקטובר אוק'.split(
    ' ',
  ),
  'NOV NOVEMBER NOVEMBRE NOVIEMBRE NOVEMBRO LISTOPADA LIS LISTOPADU KASIM נובמבר נוב'.split(' '),
  'DEC DECEMBER DEZEMBER DEZ DECEMBRE DICIEMBRE DIC DICEMBRE DISEMBER DIS DEZEMBRO GRUDNIA GRU PROSINCE ARALIK דצמבר דצמ'.split(
    ' ',
  ),
];

const MONTHS = new Map(
  MONTH_WORDS.flatMap((words, index) => words.map((word) => [word, index + 1] as const)),
);

function monthOf(word: string): number | undefined {
  const folded = word
    .normalize('NFD')
    .replace(/\p{M}|\./gu, '')
    .replace(/ł/gi, 'L')
    .toUpperCase();
  return (
    MONTHS.get(folded) ??
    (/^[\u05d1][\u05d0-\u05ea]{3,}/.test(folded) ? MONTHS.get(folded.slice(1)) : undefined)
  );
}

/** OCR may split a year in two. */
const YEAR = String.raw`(?:(?:19|20) ?\d{2}|'?\d{2})`;
const WORD = String.raw`\p{L}{3,12}\.?`;
const ISO =
  /(?<!\d)(?<year>20\d{2}|19\d{2})\s?[-/.]\s?(?<month>\d{1,2})\s?[-/.]\s?(?<day>\d{1,2})(?!\d|[-/.]\d)/gu;
const COMPACT = /(?<!\d)(?<year>20[0-4]\d)(?<month>[01]\d)(?<day>[0-3]\d)(?!\d)/gu;
const NUMERIC =
  /(?<![\d/]|\d[-.])(?<first>\d{1,2})\s?(?<mark>[-/.])\s?(?<second>\d{1,2})\s?\k<mark>\s?(?<year>(?:19|20)\d{2}|\d{2})(?=\d{1,2}: ?\d{2}|\D|$)(?![-/.]\d)/gu;
const SPACED = /(?<!\d)(?<first>\d{2}) (?<mark>)(?<second>\d{2}) (?<year>(?:19|20)\d{2})(?!\d)/gu;
const DAY_WORD = new RegExp(
  String.raw`(?<!\d|\d[.,])(?<day>\d{1,2})(?:st|nd|rd|th|er|\.|º|o)?[\s/.-]*(?:de |of |di )?(?<word>${WORD})(?:[\s/.,-]+|(?=\d))(?:de |del |of )?\s?(?<year>${YEAR})(?:(?=\d{1,2}:\d{2})|(?![\d:]))`,
  'giu',
);
const WORD_DAY = new RegExp(
  String.raw`(?<!\p{L})(?<word>${WORD})[\s/-]*(?<day>\d{1,2})(?:st|nd|rd|th)?[\s,/-]+(?<year>(?:19|20)\d{2})(?!\d)`,
  'giu',
);

const two = (value: number): string => String(value).padStart(2, '0');

function fullYear(text: string): number {
  const year = Number(text.replace(/\D/g, ''));
  return year < 100 ? 2000 + year : year;
}

function build(year: number, month: number, day: number): string | undefined {
  if (month < 1 || month > 12 || day < 1 || year < 1990 || year > 2100) return undefined;
  const last = new Date(Date.UTC(year, month, 0)).getUTCDate();
  return day > last ? undefined : `${year}-${two(month)}-${two(day)}`;
}

function fromNumeric(
  match: RegExpExecArray,
  order: DateOrder,
): Omit<PrintedDate, 'start' | 'end'> | undefined {
  const { first = '', second = '', year = '', mark = '' } = match.groups ?? {};
  // Dates with points are always day-first.
  const dayFirst = mark === '.' || order === 'day-first';
  const readings = [
    build(fullYear(year), Number(second), Number(first)),
    build(fullYear(year), Number(first), Number(second)),
  ];
  const [preferred, otherwise] = dayFirst ? readings : readings.toReversed();
  const date = preferred ?? otherwise;
  if (date === undefined) return undefined;
  return { date, ambiguous: preferred !== undefined && otherwise !== undefined && first !== second };
}

function fromWord(match: RegExpExecArray): Omit<PrintedDate, 'start' | 'end'> | undefined {
  const month = monthOf(match.groups?.['word'] ?? '');
  if (month === undefined) return undefined;
  const date = build(fullYear(match.groups?.['year'] ?? ''), month, Number(match.groups?.['day']));
  return date === undefined ? undefined : { date, ambiguous: false };
}

function fromYearFirst(match: RegExpExecArray): Omit<PrintedDate, 'start' | 'end'> | undefined {
  const { year, month, day } = match.groups ?? {};
  const date = build(Number(year), Number(month), Number(day));
  return date === undefined ? undefined : { date, ambiguous: false };
}

/** Replaces letters that OCR confuses with digits in a date: "2O18", "l2/03". The text keeps its length. */
function repairDate(text: string): string {
  return text
    .replace(/(?<=\d[-/. ]?)[OoQ](?=[-/. ]?\d|\b)/g, '0')
    .replace(/(?<![\p{L}\d])[OoQ](?=\d[-/.])/gu, '0')
    .replace(/(?<=[-/.])[OoQ](?=\d)/g, '0')
    .replace(/(?<=[-/.\d])[Il|](?=[-/.\d])/g, '1')
    .replace(/(?<![\p{L}\d])[Il|](?=\d[-/.])/gu, '1');
}

/** Returns the dates in the text of a row that exist in the calendar. */
export function findDates(text: string, order: DateOrder, recognised: boolean): PrintedDate[] {
  const readable = recognised ? repairDate(text) : text;
  const found: PrintedDate[] = [];
  const readers: readonly (readonly [
    RegExp,
    (match: RegExpExecArray) => Omit<PrintedDate, 'start' | 'end'> | undefined,
  ])[] = [
    [ISO, fromYearFirst],
    [NUMERIC, (match) => fromNumeric(match, order)],
    [DAY_WORD, fromWord],
    [WORD_DAY, fromWord],
    [COMPACT, fromYearFirst],
    [SPACED, (match) => fromNumeric(match, order)],
  ];
  for (const [pattern, read] of readers) {
    for (const match of readable.matchAll(pattern)) {
      const end = match.index + match[0].length;
      if (found.some((other) => match.index < other.end && other.start < end)) continue;
      const date = read(match);
      if (date) found.push({ start: match.index, end, ...date });
    }
  }
  return found.sort((one, other) => one.start - other.start);
}

const MONTH_FIRST_HINTS =
  /\bMM ?[/-] ?DD\b|\b(?:AL|AK|AZ|AR|CA|CO|CT|DE|FL|GA|HI|ID|IL|IN|IA|KS|KY|LA|ME|MD|MA|MI|MN|MS|MO|MT|NE|NV|NH|NJ|NM|NY|NC|ND|OH|OK|OR|PA|RI|SC|SD|TN|TX|UT|VT|VA|WA|WV|WI|WY|DC),? +\d{5}(?:-\d{4})?\b|\bUnited States\b|\bU\.?S\.?A\b/;
/** Taxes and signs that documents of the United States do not have. A customer may still live there. */
const DAY_FIRST_HINTS = /£|€|₪|(?<!\p{L})(?:VAT|GST|ABN|A\.B\.N|IVA|TVA|BTW|MwSt|USt|מע"מ)(?!\p{L})/iu;

/** A payment is due within a few months. */
const SPREAD_DAYS_MAX = 100;

/** The days between the first and the last date of the text in this order. */
function spreadOf(matches: readonly RegExpExecArray[], order: DateOrder): number {
  const times = matches
    .map((match) => fromNumeric(match, order)?.date)
    .filter((date) => date !== undefined)
    .map((date) => Date.parse(date));
  return (Math.max(...times) - Math.min(...times)) / 86_400_000;
}

/** Returns the order in which the dates are close together, if they are far apart in the other one. */
function closerOrder(matches: readonly RegExpExecArray[]): DateOrder | undefined {
  if (matches.length < 2) return undefined;
  const dayFirst = spreadOf(matches, 'day-first');
  const monthFirst = spreadOf(matches, 'month-first');
  if (dayFirst <= SPREAD_DAYS_MAX && monthFirst > SPREAD_DAYS_MAX) return 'day-first';
  return monthFirst <= SPREAD_DAYS_MAX && dayFirst > SPREAD_DAYS_MAX ? 'month-first' : undefined;
}

/**
 * Returns the date order of the document. An unambiguous date decides, or else the order in which the dates
 * are close together. Otherwise it is month-first if the text mentions the United States or the format but no
 * tax of another country, and day-first if not.
 */
export function dateOrderOf(text: string): DateOrder {
  const matches = [...text.matchAll(NUMERIC)].filter((match) => match.groups?.['mark'] !== '.');
  const numeric = matches.map((match) => [Number(match.groups?.['first']), Number(match.groups?.['second'])]);
  const dayFirst = numeric.filter(([first = 0, second = 0]) => first > 12 && second <= 12).length;
  const monthFirst = numeric.filter(([first = 0, second = 0]) => second > 12 && first <= 12).length;
  if (dayFirst !== monthFirst) return dayFirst > monthFirst ? 'day-first' : 'month-first';
  return (
    closerOrder(matches) ??
    (MONTH_FIRST_HINTS.test(text) && !DAY_FIRST_HINTS.test(text) ? 'month-first' : 'day-first')
  );
}
