import { LEGAL_FORM, LEGAL_FORM_THEN_DIVIDER, LEGAL_FORMS } from '@counterfoil/kernel';
import type { Label } from './labels';
import type { Cell } from './rows';
import type { Line, Sheet } from './sheet';
import { countOf, squash, withoutBrackets } from './text';
import type { Concept } from './vocabulary';

/** True if the name consists only of a legal form and of words that many businesses use. */
export function isBare(name: string): boolean {
  const rest = withoutBrackets(name.replace(LEGAL_FORMS, ' ').replace(new RegExp(BUSINESS, 'gi'), ' '));
  return countOf(rest, /\p{L}/gu) < 3;
}

/** Words that occur in business names. */
export const BUSINESS =
  /\b(?:restaurant|restoran|cafe|coffee|kopitiam|bistro|bakery|bakeries|confectionery|enterprise|trading|hardware|stationery|supermarket|hypermarket|market|mart|mini|store|stores|shop|bookstore|pharmacy|farmasi|clinic|hotel|hardwares|holdings|group|services?|company|industries|supplies|solutions|marketing|centre|center|syarikat|perniagaan|kedai|pasaraya|auto|petrol|station|bäckerei|apotheke|gasthof|gasthaus|boulangerie|pharmacie|librairie|ristorante|trattoria|farmacia|panaderia|restaurante|café|bar|grill|pizza|pizzeria)\b|מסעדת|קפה|מאפיי?ת|סופר|חנות|בית|מרכז|שיווק|מוסך|מכולת|פיצה/i;

const LEADING: ReadonlySet<Concept> = new Set(['name', 'seller', 'owner']);
/** A name ends before one of these labels. */
const ENDING: ReadonlySet<Concept> = new Set([
  'taxId',
  'companyNo',
  'phone',
  'web',
  'address',
  'date',
  'bank',
  'reference',
  'invoiceNo',
]);

/** Cuts the text after a legal form that a comma or another divider follows. */
function withoutRest(text: string): string {
  const match = LEGAL_FORM_THEN_DIVIDER.exec(text);
  const end = match && match.index + match[0].trimEnd().length - 1;
  return end ? text.slice(0, end) : text;
}

const SPACED_LETTERS_MIN = 4;

/** Joins a name whose letters are set apart: "A U B E R T". Spaces between its words are lost. */
export function joinSpaced(name: string): string {
  const parts = name.split(' ');
  const single = parts.filter((part) => /^\p{L}$/u.test(part)).length;
  return single >= SPACED_LETTERS_MIN && single * 5 >= parts.length * 4 ? parts.join('') : name;
}

const SENT_BY = /^\s*(?:your )?(?:receipt|invoice|order|bill|payment)(?: receipt| confirmation)? from /i;

/** "© 2024", "Copyright 2024" before the name of the sender. */
const COPYRIGHT = /^\s?(?:©|\(c\)|copyright)\s?(?:(?:19|20)\d\d\s?(?:-\s?(?:19|20)\d\d)?)?\s?/i;

const trim = (text: string): string =>
  text
    .replace(/^[\s:;.,*_|~=·•-]+|(?<![\s:;,*_|~=·•-])[\s:;,*_|~=·•-]+$/g, '')
    .replace(/(?<=\p{L}{4})\.$/u, '');

/**
 * Returns the name in a cell, without the label before it and without a number, address or phone after it.
 */
export function nameIn(line: Line, cell: Cell): string | undefined {
  const end = cell.start + cell.text.length;
  const within = line.labels.filter((label) => label.start >= cell.start && label.end <= end);
  let from = cell.start;
  for (const label of within) {
    if (isLeading(line, label, from)) from = label.end;
  }
  const stop = within.find(
    (label) =>
      ENDING.has(label.concept) && label.start > from + 3 && label.slips === 0 && endsName(line, label.start),
  );
  const said = line.text
    .slice(from, stop?.start ?? end)
    .replace(SENT_BY, '')
    .replace(COPYRIGHT, '');
  const name = joinSpaced(trim(withoutAddress(withoutRest(said))));
  const letters = countOf(name, /\p{L}/gu);
  const isName = letters >= 3 && name.length <= 90 && countOf(name, /\d/g) <= letters;
  return isName && !isWebAddress(name) ? name : undefined;
}

/** True if the name is nothing else, because "Coffee@Work" may be one. */
const isWebAddress = (name: string): boolean =>
  !/\s/.test(name) && (/^(?:www\.|https?:)/i.test(name) || /@[^@]*\./.test(name));

/**
 * True if the label is a word for the seller before a name. It must have a colon or several words, because
 * "Lieferant GmbH" may be a name.
 */
function isLeading(line: Line, label: Label, from: number): boolean {
  if (!LEADING.has(label.concept) || /\p{L}/u.test(line.text.slice(from, label.start))) return false;
  return /^\s?:/.test(line.text.slice(label.end)) || line.text.slice(label.start, label.end).includes(' ');
}

/**
 * "Rue" in "Café de la Rue" is part of the name. After a comma, a bracket or a wide gap it starts an address.
 */
const endsName = (line: Line, offset: number): boolean =>
  /[,;|([·-]\s*$|\s{2}$/.test(line.text.slice(0, offset)) ||
  /(?:["']|\.|בע"מ)\s$/.test(line.text.slice(0, offset)) ||
  LEGAL_FORM.test(line.text.slice(0, offset));

/** Cuts the text at a number in brackets, and at a dash, dot or bar that an address follows. */
function withoutAddress(text: string): string {
  const parts = text.split(/\s[-|·•]\s|,\s|\s{2,}/);
  const first = parts[0] ?? text;
  const numbered = parts.slice(1).findIndex((part) => /\d/.test(part));
  const kept = numbered >= 0 ? text.slice(0, lengthOfParts(text, parts, numbered + 1)) : text;
  const name = kept.length >= 3 ? kept : first;
  return name
    .replace(/\s(?:au capital|mit Sitz|registered in|with registered)(?!\p{L}).*/isu, '')
    .replace(/[([]\s?(?:Co\.?\s?(?:Reg|No)|[A-Z]{0,4}\s?\d).*/is, '')
    .replace(/\s\d{5,}[-A-Z]*\s*$/, '')
    .replace(/\s[\dOIZSBT]{5,}-?\s?[A-Z]\s*$/, '')
    .replace(/\s(?:\(?Co(?:mpany)?\.?)?\s?Reg\.?(?:istration)?\s?No\.?\s*:?$/i, '');
}

function lengthOfParts(text: string, parts: readonly string[], count: number): number {
  const next = parts[count];
  return next === undefined ? text.length : Math.max(text.indexOf(next) - 1, 0);
}

const REGISTRATION =
  /\b(?:capital|kapital|HRB|HRA|SIRET|SIREN|R\.?C\.?S|Registergericht|Handelsregister|Geschäftsführer|Siège social|Registered (?:office|in)|Company (?:no|reg)|Titulaire|Kontoinhaber|Account (?:name|holder)|UStId|USt-Id|P\.? ?IVA|KvK|Reg\. No)\b/i;

/** True if the row or one of the next two contains the registration data that companies must print. */
export function registrationNear(sheet: Sheet, line: Line): boolean {
  return [0, 1, 2].some((step) => {
    const row = sheet.lines[line.index + step];
    return row !== undefined && row.page === line.page && REGISTRATION.test(row.text);
  });
}

const PROVIDERS =
  /^(?:GMAIL|HOTMAIL|YAHOO|OUTLOOK|ICLOUD|GMX|WEB|FACEBOOK|INSTAGRAM|EXAMPLE|LIVE|AOL|TONLINE|ORANGE|FREE|WALLA|TWITTER|GOOGLE)$/;

/** Returns the words in the web and mail addresses of the sheet. */
export function websiteWords(sheet: Sheet): string[] {
  const hosts = [
    ...sheet.text.matchAll(/(?:www\s?\.\s?|https?:\/\/|@\s?)((?:[a-z\d-]{1,63}\s?\.\s?){1,8}[a-z]{2,6})/gi),
  ].slice(0, 20);
  const words = hosts.map((match) => {
    const parts = (match[1] ?? '')
      .replace(/\s/g, '')
      .split('.')
      .filter((part) => part.toLowerCase() !== 'www');
    const short = parts.at(-2) ?? '';
    return squash(/^(?:com?|org|net|gov|ac)$/i.test(short) ? (parts.at(-3) ?? '') : short).text;
  });
  return [...new Set(words)].filter((word) => word.length >= 4 && !PROVIDERS.test(word));
}
