import { LEGAL_FORM, LEGAL_FORMS } from '@counterfoil/kernel';
import { bucket, flags, type Candidate, type Features } from './model';
import { blockFeatures } from './name-block';
import { BUSINESS, isBare, joinSpaced, nameIn, registrationNear, websiteWords } from './names';
import type { Parties } from './parties';
import type { Cell } from './rows';
import type { Line, Sheet } from './sheet';
import { countOf, squash } from './text';
import { consonantsOf } from './transliterate';
import type { Concept } from './vocabulary';

const TOP_ROWS = 16;
const MOST_CELLS = 160;

interface NamedCell {
  readonly line: Line;
  readonly cell: Cell;
  readonly name: string;
  /** True if the name is joined from two rows. */
  readonly joined: boolean;
  /** True if the lower of the two rows is not a name by itself. */
  readonly bare: boolean;
}

function cellsOf(sheet: Sheet, parties: Parties): NamedCell[] {
  const cells: NamedCell[] = [];
  for (const line of sheet.lines) {
    for (const cell of line.cells) {
      const name = withSpacedRest(line, cell, nameIn(line, cell));
      if (name === undefined) continue;
      const top = line.index < TOP_ROWS;
      const told =
        LEGAL_FORM.test(name) || parties.at(line, cell.start) === 'seller' || registrationNear(sheet, line);
      const end = line.index >= sheet.lines.length - 8;
      if (top || told || end) cells.push({ line, cell, name, joined: false, bare: false });
    }
  }
  return cells.slice(0, MOST_CELLS);
}

/** Adds the next words of a name whose letters are set so far apart that its words stand in separate cells. */
function withSpacedRest(line: Line, cell: Cell, name: string | undefined): string | undefined {
  if (name === undefined || joinSpaced(cell.text) === cell.text) return name;
  const words = [name];
  for (const next of line.cells.slice(line.cells.indexOf(cell) + 1)) {
    const word = joinSpaced(next.text);
    if (word === next.text) break;
    words.push(word);
  }
  return words.join(' ');
}

/** Joins a name with the next row if that row has the legal form or the first row is incomplete. */
function joinedBelow(sheet: Sheet, one: NamedCell): NamedCell | undefined {
  const below = sheet.lines[one.line.index + 1];
  if (!below || below.page !== one.line.page || LEGAL_FORM.test(one.name)) return undefined;
  const near = below.y - one.line.y < 2.5 * Math.max(one.line.height, below.height);
  const cell = below.cells.find(
    (other) =>
      Math.min(other.right, one.cell.right) - Math.max(other.x, one.cell.x) > 0.3 * (other.right - other.x),
  );
  if (!near || !cell) return undefined;
  const rest = nameIn(below, cell);
  if (rest === undefined || !LEGAL_FORM.test(rest)) return undefined;
  return { line: one.line, cell: one.cell, name: `${one.name} ${rest}`, joined: true, bare: isBare(rest) };
}

const TELLING: readonly Concept[] = [
  'title',
  'address',
  'phone',
  'web',
  'courtesy',
  'date',
  'taxId',
  'companyNo',
  'clerk',
  'table',
  'order',
  'reference',
  'bank',
  'invoiceNo',
  'receiptNo',
  'customerNo',
  'numberWord',
  'table_head',
  'total',
  'amount',
  'tax',
  'cash',
  'qty',
  'price',
  'time',
  'name',
  'card',
  'summary',
];

/** Returns the features of the labels inside the name. */
function labelFeatures({ line, cell, name }: NamedCell): Features {
  const features: Features = {};
  const end = cell.start + cell.text.length;
  const letters = Math.max(countOf(name, /[\p{L}\d]/gu), 1);
  let covered = 0;
  for (const label of line.labels) {
    if (label.start < cell.start || label.end > end) continue;
    if (!name.includes(line.text.slice(label.start, label.end))) continue;
    if (label.concept === 'phone' && !/\d/.test(name)) continue;
    covered += label.end - label.start;
    if (TELLING.includes(label.concept)) features[`has:${label.concept}`] = 1;
  }
  if (covered / letters > 0.75) features['mostlyLabel'] = 1;
  return features;
}

function wordFeatures(name: string): Features {
  const words = name.split(/\s+/).length;
  const digits = countOf(name, /\d/g);
  return {
    ...bucket('words', words, [2, 3, 6, 9]),
    ...bucket('letters', countOf(name, /\p{L}/gu), [4, 8, 40]),
    ...flags({
      legal: LEGAL_FORM.test(name),
      bare: isBare(name),
      business: BUSINESS.test(name),
      digits: digits > 0,
      manyDigits: digits > 4,
      postcode: /(?<!\d)\d{4,6}(?!\d)/.test(name),
      capitals: name === name.toUpperCase() && /[A-Z]{3}/.test(name),
      lower: /^[a-zà-ÿ]/.test(name),
      sentence: /[.!?]$/.test(name) && words > 4 && !LEGAL_FORM.test(name),
      comma: name.includes(','),
      colon: name.includes(':'),
      quoted: /["*]/.test(name) && !/[\u05d0-\u05ea]"[\u05d0-\u05ea]/.test(name),
    }),
  };
}

function placeFeatures(sheet: Sheet, one: NamedCell, parties: Parties): Features {
  const { line, cell } = one;
  const party = parties.at(line, cell.start) ?? parties.at(line, cell.start + cell.text.length - 1);
  const next = [1, 2].map((step) => sheet.lines[line.index + step]);
  const nextText = next.map((below) => below?.text ?? '').join(' ');
  const nextLabels = new Set(next.flatMap((below) => below?.labels.map((label) => label.concept) ?? []));
  return {
    ...(line.index < 8 ? { [`row${line.index}`]: 1 } : bucket('row', line.index, [12, TOP_ROWS])),
    ...flags({
      end: line.index >= sheet.lines.length - 8 && line.index >= TOP_ROWS,
      laterPage: line.page > 0,
      tall: cell.height > 1.3 * sheet.height,
      veryTall: cell.height > 1.8 * sheet.height,
      low: cell.height < 0.8 * sheet.height,
      alone: line.cells.length === 1,
      customer: party === 'customer',
      seller: party === 'seller',
      sellersFirst: parties.isSellersFirst(cell),
      owner: line.labels.some((label) => label.concept === 'owner'),
      notFirstCell: line.cells[0] !== cell,
      beforeAddress: nextLabels.has('address') || /(?<!\d)\d{4,6}(?!\d)/.test(nextText),
      beforePhone: nextLabels.has('phone'),
      beforeTaxId: nextLabels.has('taxId') || nextLabels.has('companyNo'),
      beforeCompanyNo: /^\(?\d{6,12}-?[A-Z]?\)?$/.test(next[0]?.text.trim() ?? ''),
      besideRegistration: registrationNear(sheet, line),
      besideTaxId: party !== 'customer' && hasTaxIdBeside(line, cell),
      priced: line.numbers.some((number) => number.decimals === 2),
      dated: line.dates.length > 0,
      unsure: cell.confidence < 0.8,
      joined: one.joined,
      joinedBare: one.joined && one.bare,
    }),
  };
}

/** True if another cell of the row has a tax number: in letterheads in columns, it stands beside the name. */
const hasTaxIdBeside = (line: Line, cell: Cell): boolean =>
  line.labels.some(
    ({ concept, start, end }) =>
      (concept === 'taxId' || concept === 'companyNo') &&
      (start < cell.start || start >= cell.start + cell.text.length) &&
      /^\D{0,12}\d[\d ./-]{6,}/.test(line.text.slice(end)),
  );

/** Counts the other rows that contain the name without its legal form, ignoring spaces. */
function repeatsOf(squashed: readonly string[], name: string): number {
  const letters = squash(name.replace(LEGAL_FORMS, ' ')).text;
  return letters.length < 4 ? 0 : squashed.filter((text) => text.includes(letters)).length - 1;
}

const CONSONANTS_MIN = 3;

/** True if a word of a web or mail address names the business, also if one of the two is in Hebrew. */
function namesWebsite(name: string, websites: readonly string[]): boolean {
  const letters = squash(name).text;
  if (websites.some((word) => letters.includes(word) || (letters.length > 4 && word.includes(letters))))
    return true;
  if (!/[\u05d0-\u05ea]/.test(name)) return false;
  const words = name
    .split(' ')
    .map(consonantsOf)
    .filter((word) => word.length >= CONSONANTS_MIN);
  return websites.some((word) => words.some((own) => consonantsOf(word).startsWith(own)));
}

/** Returns the name as another row spells it, if its own spelling lost the spaces between the words. */
function spelledElsewhere(sheet: Sheet, one: NamedCell, letters: string): string {
  const spaced = one.name.includes(' ') || !/^\p{L} \p{L} /u.test(one.cell.text.trim());
  if (spaced || letters.length < 5) return one.name;
  for (const line of sheet.lines) {
    if (line === one.line) continue;
    const { text, offsets } = squash(line.text);
    const at = text.indexOf(letters);
    if (at < 0) continue;
    return line.text.slice(offsets[at], (offsets[at + letters.length - 1] ?? 0) + 1);
  }
  return one.name;
}

/** Returns the candidates for the vendor's name. */
export function vendorCandidates(sheet: Sheet, parties: Parties): Candidate<string>[] {
  const cells = cellsOf(sheet, parties);
  const all = cells.flatMap((one) => {
    const joined = joinedBelow(sheet, one);
    return joined ? [one, joined] : [one];
  });
  const squashed = sheet.lines.map((line) => squash(line.text).text);
  const websites = websiteWords(sheet);
  const firstLegal = all.find(
    (one) => LEGAL_FORM.test(one.name) && parties.at(one.line, one.cell.start) !== 'customer',
  );
  const candidates = all.map((one) => {
    const letters = squash(one.name).text;
    return {
      value: spelledElsewhere(sheet, one, letters),
      key: letters,
      at: { line: one.line, start: one.cell.start, end: one.cell.start + one.cell.text.length },
      features: {
        ...wordFeatures(one.name),
        ...labelFeatures(one),
        ...placeFeatures(sheet, one, parties),
        ...blockFeatures(sheet, one.line, one.cell),
        ...flags({
          website: namesWebsite(one.name, websites),
          noWebsite: websites.length === 0,
          repeated: repeatsOf(squashed, one.name) > 0,
          firstLegal: one === firstLegal,
          noLegal: firstLegal === undefined,
        }),
      },
    };
  });
  return withRivals(candidates);
}

/** Features that only a vendor's name should have. */
const EVIDENCE = {
  registered: ['besideRegistration', 'besideTaxId', 'blockTaxId'],
  website: ['website'],
} as const;

/** The address and the contacts of a business stand at most this many rows from its name. */
const OWN_ROWS = 6;

const rowOf = ({ at }: Candidate<string>): number => at?.line.index ?? 0;

/** Adds which evidence a name elsewhere has, and the candidate has not. */
function withRivals(candidates: readonly Candidate<string>[]): Candidate<string>[] {
  const evidence = Object.entries(EVIDENCE).map(([name, features]) => {
    const holders = candidates.filter((one) => features.some((feature) => one.features[feature] === 1));
    return { name: `rival:${name}`, holders: new Set(holders) };
  });
  const isRival = (one: Candidate<string>, other: Candidate<string>): boolean =>
    other.key !== one.key &&
    other.features['customer'] !== 1 &&
    Math.abs(rowOf(other) - rowOf(one)) > OWN_ROWS;
  return candidates.map((one) => {
    const lost = evidence.map(({ name, holders }) => {
      const hasRival = !holders.has(one) && [...holders].some((holder) => isRival(one, holder));
      return [name, hasRival] as const;
    });
    return { ...one, features: { ...one.features, ...flags(Object.fromEntries(lost)) } };
  });
}
