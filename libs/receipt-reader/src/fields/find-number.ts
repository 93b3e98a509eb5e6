import { bucket, flags, type Candidate, type Features } from './model';
import type { Parties } from './parties';
import type { Line, Sheet } from './sheet';
import { taxIdForm } from './tax-ids';
import { labelFor, tokensOf, touchesLetter, type Token } from './tokens';
import { countOf } from './text';

const MOST_TOKENS = 400;
const PHONE = /^(?:\+?6?0\d{1,2}-?\d{6,8}|\d{2,4}[-.]\d{6,8}|\+\d{6,})$/;

function shapeOf(token: Token): Features {
  const { text, line } = token;
  const digits = countOf(text, /\d/g);
  const letters = countOf(text, /[A-Za-z]/g);
  const number = line.numbers.find((other) => other.start < token.end && token.start < other.end);
  return {
    ...bucket('digits', digits, [2, 3, 4, 6, 9, 12, 16]),
    ...flags({
      letterFirst: /^[A-Za-z]/.test(text),
      letters: letters > 0,
      manyLetters: letters > 5 && letters > digits,
      lastLetter: /\d[A-Za-z]+$/.test(text),
      divided: /[-/]/.test(text),
      dotted: text.includes('.'),
      zeros: /^0\d{4,}/.test(text),
      date: line.dates.some((date) => date.start < token.end && token.start < date.end),
      amount: number?.decimals === 2 && text.includes('.'),
      year: /^(?:19|20)\d\d$/.test(text),
      phone: PHONE.test(text),
      taxForm: /^00\d{10}$|^\d{9}$|^[A-Z]{2}[A-Z\d]?\d{8,}/.test(text) && taxIdForm(text)?.valid !== false,
      measure: /^\d+(?:x|ml|g|kg|l|cm|mm|pcs?|st|nd|rd|th|am|pm)\d*$/i.test(text),
      percent: line.text[token.end] === '%',
      bracketed: line.text[token.start - 1] === '(',
      partOfWord: touchesLetter(line, token.start, token.end),
      time: line.text[token.end] === ':' && /^\d/.test(line.text.slice(token.end + 1)),
      currency: /[$€£₪]\s?$|RM\s?$/.test(line.text.slice(0, token.start)),
    }),
  };
}

/** True if the row or a nearby row names the kind of document. */
const isTitled = (sheet: Sheet, { line }: Token, reach: number): boolean =>
  sheet.lines
    .slice(Math.max(line.index - reach, 0), line.index + reach + 1)
    .some((other) => other.labels.some((label) => label.concept === 'title'));

function surroundings(sheet: Sheet, token: Token, parties: Parties): Features {
  const { line } = token;
  const concepts = new Set(line.labels.map((label) => label.concept));
  const titled = isTitled(sheet, token, 1);
  return {
    ...bucket('place', (line.page + line.place) / Math.max(sheet.pages, 1), [0.2, 0.4, 0.7]),
    ...flags({
      titled,
      rowPhone: concepts.has('phone'),
      rowAddress: concepts.has('address'),
      rowDate: line.dates.length > 0,
      rowPriced: line.numbers.some((number) => number.decimals === 2),
      rowSentence: line.text.length > 70,
      alone: line.text.trim().length <= token.text.length + 4,
      customer: parties.at(line, token.start) === 'customer',
    }),
  };
}

function labelFeatures(sheet: Sheet, token: Token, titled: boolean, inRow: readonly Token[]): Features {
  const speaking = labelFor(sheet, token, 3);
  if (!speaking) return { 'label:none': 1 };
  const name = `${speaking.where}:${speaking.concept}`;
  const earlier = inRow.some((other) => other.start < token.start && other.start > speaking.label.end);
  return {
    [name]: 1,
    ...flags({
      'label:numbered': speaking.numbered && speaking.concept === 'title',
      numberTitled: speaking.concept === 'numberWord' && speaking.where === 'beside' && titled,
      'label:slips': speaking.label.slips > 0,
      'label:notFirst': earlier && speaking.where !== 'above',
    }),
  };
}

/** Returns the number if a space separates its prefix: "F 1234K20", "INV 2024-17". */
function withPrefix(token: Token): string | undefined {
  const before = /(?<![A-Za-z.:])([A-Z]{1,3})\s$/.exec(token.line.text.slice(0, token.start));
  if (before && token.line.labels.some((label) => label.start <= before.index && before.index < label.end))
    return undefined;
  return before?.[1] && !/^(?:NO|NR|N|ID|AM|PM|RM)$/.test(before[1])
    ? `${before[1]} ${token.text}`
    : undefined;
}

/** Returns the number if OCR split it after its first letters: "CS0 1076695". */
function withRest(token: Token): string | undefined {
  if (!/^[A-Z]{1,4}\d{0,3}-?$/.test(token.text)) return undefined;
  const rest = /^ (\d{3,})(?![\d.,/:])/.exec(token.line.text.slice(token.end));
  return rest?.[1] && `${token.text}${rest[1]}`;
}

/** Groups of digits separated by single spaces. Columns stand further apart. */
const SPACED = /(?<![\p{L}\d.,:/-])\d{3,}(?: \d{3,})+(?![\p{L}\d]|[.,:/-]\d)/gu;

interface SpacedNumber {
  readonly start: number;
  readonly end: number;
  readonly digits: string;
}

/** Finds numbers with spaces, such as "733 910 4421". A part of such a number is not a candidate. */
function spacedNumbers(line: Line): SpacedNumber[] {
  return [...line.text.matchAll(SPACED)]
    .map((match) => ({
      start: match.index,
      end: match.index + match[0].length,
      digits: match[0].replaceAll(' ', ''),
    }))
    .filter(({ start, end }) => !line.dates.some((date) => start < date.end && date.start < end));
}

/** Returns the candidates for the vendor's document number. */
export function numberCandidates(sheet: Sheet, parties: Parties): Candidate<string>[] {
  const recognised = sheet.source === 'ocr';
  const rows = new Map(
    sheet.lines.map((line) => [line, { words: tokensOf(line, recognised), spaced: spacedNumbers(line) }]),
  );
  const tokens = [...rows.values()].flatMap(({ words }) => words).slice(0, MOST_TOKENS);
  const seen = new Map<string, number>();
  for (const { text } of tokens) seen.set(text, (seen.get(text) ?? 0) + 1);
  return tokens.flatMap((token) => {
    const row = rows.get(token.line);
    const whole = row?.spaced.find(({ start, end }) => start <= token.start && token.end <= end);
    const features = {
      ...shapeOf(token),
      ...surroundings(sheet, token, parties),
      ...labelFeatures(sheet, token, isTitled(sheet, token, 3), row?.words ?? []),
      ...flags({ repeated: (seen.get(token.text) ?? 0) > 1 }),
    };
    const { text } = token;
    const inSpaced = flags({ inSpaced: whole !== undefined });
    const plain = {
      ...{ value: text, key: text.toUpperCase(), at: token },
      features: { ...features, ...inSpaced },
    };
    const others = [
      { value: withPrefix(token), feature: 'prefix' },
      { value: recognised ? withRest(token) : undefined, feature: 'rest' },
    ].flatMap(({ value, feature }) => (value === undefined ? [] : [{ value, feature }]));
    // Both spellings are the same answer: their confidence is added, and the likelier spelling is returned.
    return [
      { ...plain, features: { ...plain.features, ...flags({ prefixLeft: others.length > 0 }) } },
      ...others.map(({ value, feature }) => ({
        value,
        ...{ key: plain.key, at: token },
        features: { ...plain.features, [`${feature}Joined`]: 1 },
      })),
      ...(whole?.start === token.start
        ? [
            {
              ...{
                value: whole.digits,
                key: whole.digits,
                at: { line: token.line, start: whole.start, end: whole.end },
              },
              features: { ...features, spacedJoined: 1 },
            },
          ]
        : []),
    ];
  });
}
