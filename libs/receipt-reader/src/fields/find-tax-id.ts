import { bucket, flags, type Candidate, type Features } from './model';
import type { Parties } from './parties';
import type { Line, Sheet } from './sheet';
import { isIsraeli, taxIdForm, withoutPrefix } from './tax-ids';
import { countOf } from './text';
import { labelFor, type Token, type TokenLabel } from './tokens';

const PREFIX =
  '(?:DE|FR|F|IL|IT|ES|NL|BE|ATU|PL|PT|GB|CHE|LU|FI|DK|HU|MT|SI|IE|SE|EL|EE|HR|LV|CY|CZ|SK|RO|BG|LT)';
/**
 * Groups of digits of any length, with the letters that occur in tax numbers and an optional country prefix.
 */
const GROUPED = new RegExp(
  String.raw`(?<![\p{L}\d])(?:${PREFIX}[ -]?)?(?:[A-Z][ -]?)?\d(?:[ ./-]?[A-Z\d]){5,18}(?![\p{L}\d]|[.,]\d)`,
  'gu',
);
/** The same with a word or a label in front: "BTWNL810433941B01". */
const GLUED_PREFIX = new RegExp(
  String.raw`(?<=(?:VAT|BTW|TVA|IVA|NR|ID|NO)\.?)${PREFIX}\d{8,11}(?:B\d{2})?(?![\p{L}\d])`,
  'giu',
);
const HEBREW_GLUED = /(?<!\d)\d{9}(?!\d)/g;
/** A number that OCR joined to its label. */
const GLUED = /(?<=[A-Za-z#])(?:00\d{10}|\d{9,12})(?!\d)/g;

function repaired(text: string): string {
  return text.replace(/(?<=\d)[Oo](?=\d|$)/g, '0').replace(/(?<=\d)[Il](?=\d|$)/g, '1');
}

function found(line: Line, recognised: boolean): Token[] {
  const text = recognised ? repaired(line.text) : line.text;
  const tokens: Token[] = [];
  for (const pattern of [GROUPED, GLUED_PREFIX, HEBREW_GLUED, GLUED]) {
    for (const match of text.matchAll(pattern)) {
      const start = match.index;
      const end = start + match[0].length;
      if (tokens.some((token) => start < token.end && token.start < end)) continue;
      const trimmed = trimWords(match[0]);
      if (countOf(trimmed, /\d/g) < 6) continue;
      tokens.push({ line, text: trimmed, start, end: start + trimmed.length });
    }
  }
  return tokens;
}

/** Removes the separate word or number that follows a number. */
function trimWords(text: string): string {
  const letters = / [A-Z]{1,2}$/.exec(text);
  if (letters && taxIdForm(text.slice(0, letters.index))) return text.slice(0, letters.index);
  const whole = taxIdForm(withoutPrefix(text));
  if (whole && (whole.valid ?? true)) return text;
  for (let end = text.length - 1; end > 6; end--) {
    if (!/[ .]/.test(text.charAt(end))) continue;
    const form = taxIdForm(text.slice(0, end));
    if (form && (form.valid ?? true)) return text.slice(0, end);
  }
  return whole === undefined ? text.replace(/ [A-Z]{3,}$/, '') : text;
}

/** An Israeli number with a wrong check digit contains a misread or misprinted digit. */
function isMisprinted(sheet: Sheet, token: Token): boolean {
  const number = withoutPrefix(token.text).replace(/[ ./-]/g, '');
  if (!/^\d{9}$/.test(number) || isIsraeli(number)) return false;
  return sheet.hebrew || /^IL/i.test(token.text) || isLabelledInHebrew(token, labelFor(sheet, token, 2));
}

const isLabelledInHebrew = ({ line }: Token, speaking: TokenLabel | undefined): boolean =>
  speaking?.concept === 'taxId' &&
  /[\u05d0-\u05ea]/.test(line.text.slice(speaking.label.start, speaking.label.end));

/**
 * On a page in Hebrew, nine digits are an Israeli number and need a valid check digit. Elsewhere they may
 * belong to any country.
 */
function formFeatures(text: string, hebrew: boolean): Features {
  const known = taxIdForm(text);
  const foreign = known?.country === 'IL' && known.valid !== true && !hebrew;
  const form = foreign ? { ...known, country: 'nine', valid: undefined } : known;
  const digits = countOf(text, /\d/g);
  const name = form === undefined ? 'none' : form.prefixed ? 'prefixed' : form.country;
  return {
    [`form:${name}`]: 1,
    ...bucket('digits', digits, [8, 9, 10, 11, 12, 13]),
    ...flags({
      'form:valid': form?.valid === true,
      'form:invalid': form?.valid === false,
      letters: /[A-Z]/.test(text),
      spaced: text.includes(' '),
      slashed: text.includes('/'),
      dashed: text.includes('-'),
    }),
  };
}

function labelName(sheet: Sheet, token: Token): Features {
  const speaking = labelFor(sheet, token, 2);
  if (!speaking) return { 'label:none': 1 };
  const after = token.line.labels.find((label) => label.start >= token.end);
  const trailing = after?.concept === 'taxId' && speaking.where !== 'beside';
  return {
    [`${speaking.where}:${speaking.concept}`]: 1,
    ...flags({ trailing, 'label:slips': speaking.label.slips > 0 }),
    ...(speaking.concept === 'taxId' && {
      [`word:${isLabelledInHebrew(token, speaking) ? 'he' : 'latin'}`]: 1,
    }),
  };
}

/**
 * Returns the candidates for the vendor's tax id. Numbers in a customer block and misprinted ones are left out.
 */
export const taxIdCandidates = (sheet: Sheet, parties: Parties): Candidate<string>[] =>
  candidatesAmong(
    numbersOf(sheet, parties).filter((token) => !isMisprinted(sheet, token)),
    sheet,
    parties,
  );

/** Returns the candidates whose check digit is wrong, for documents that have no other tax id. */
export const misprintedTaxIds = (sheet: Sheet, parties: Parties): Candidate<string>[] =>
  candidatesAmong(
    numbersOf(sheet, parties).filter((token) => isMisprinted(sheet, token)),
    sheet,
    parties,
  );

const numbersOf = (sheet: Sheet, parties: Parties): Token[] =>
  sheet.lines
    .flatMap((line) => found(line, sheet.source === 'ocr'))
    .filter((token) => parties.at(token.line, token.start) !== 'customer');

function candidatesAmong(numbers: readonly Token[], sheet: Sheet, parties: Parties): Candidate<string>[] {
  const tokens = numbers.slice(0, 150);
  const labelled = tokens.filter((token) => labelFor(sheet, token, 2)?.concept === 'taxId');
  return tokens.map((token) => {
    const { line } = token;
    const compact = withoutPrefix(token.text.toUpperCase().replace(/[^A-Z\d]/g, ''));
    const concepts = new Set(line.labels.map((label) => label.concept));
    return {
      value: token.text.includes('/') ? token.text : compact,
      key: compact,
      at: token,
      features: {
        ...formFeatures(withoutPrefix(token.text), sheet.hebrew),
        ...labelName(sheet, token),
        ...bucket('place', (line.page + line.place) / Math.max(sheet.pages, 1), [0.2, 0.4, 0.7]),
        ...flags({
          firstLabelled: labelled[0] === token,
          laterLabelled: labelled.includes(token) && labelled[0] !== token,
          seller: parties.at(line, token.start) === 'seller',
          bracketed: /[([]\s?$/.test(line.text.slice(0, token.start)),
          rowPhone: concepts.has('phone'),
          rowBank: concepts.has('bank'),
          rowCustomer: concepts.has('customer') || concepts.has('customerNo'),
          rowPriced: line.numbers.some((number) => number.decimals === 2),
          rowLegal: concepts.has('companyNo') || /capital|kapital/i.test(line.text),
          rowDate: line.dates.length > 0,
          rowLong: line.text.length > 60,
        }),
      },
    };
  });
}
