/** A piece of text as drawn, from left to right. */
export interface DrawnText {
  readonly text: string;
  /** True if the text is a right-to-left run that is already in logical order. */
  readonly isRightToLeft: boolean;
}

type RunKind = 'rtl' | 'ltr' | 'number' | 'neutral';

interface Run {
  readonly kind: RunKind;
  readonly text: string;
}

const RTL_LETTER = '\\u0590-\\u08ff\\ufb1d-\\ufdff\\ufe70-\\ufefc';
const DIGIT = '0-9\\u0660-\\u0669\\u06f0-\\u06f9';
const SIGN = '$€£¥₪';
/** Letters of all other scripts, which are written from left to right. */
const LTR_LETTER = `(?![${RTL_LETTER}])\\p{L}`;
const LTR_CHARACTER = `(?:${LTR_LETTER}|[${DIGIT}])`;

/** Alternatives: right-to-left words, left-to-right words and numbers, and the text between them. */
const RUN = new RegExp(
  [
    `(?<rtl>[${RTL_LETTER}]+(?:["'״׳.\\-]?[${RTL_LETTER}])*(?:["'״׳](?![${DIGIT}]))?)`,
    `(?<ltr>[${SIGN}#]?${LTR_CHARACTER}+(?:[.,:/\\-@_&+'*\\\\]${LTR_CHARACTER}+)*[%${SIGN}]?)`,
    `(?<neutral>.)`,
  ].join('|'),
  'gsu',
);
const RTL_LETTERS = new RegExp(`[${RTL_LETTER}]`, 'gu');
const LTR_LETTERS = new RegExp(LTR_LETTER, 'gu');

const MIRRORED: Readonly<Record<string, string>> = {
  '(': ')',
  ')': '(',
  '[': ']',
  ']': '[',
  '{': '}',
  '}': '{',
  '<': '>',
  '>': '<',
  '«': '»',
  '»': '«',
};

export function hasRightToLeft(text: string): boolean {
  return text.search(RTL_LETTERS) !== -1;
}

/**
 * Converts text from drawing order (left to right) to reading order. A text with at least as many Hebrew or
 * Arabic letters as others is read from the right. In other texts only the Hebrew or Arabic parts are
 * reversed, with the numbers to their left.
 */
export function logicalOrder(drawn: readonly DrawnText[]): string {
  const whole = drawn.map(({ text }) => text).join('');
  if (!hasRightToLeft(whole)) return whole;
  const runs = joinPhrases(runsOf(drawn));
  const fromTheRight = count(whole, RTL_LETTERS) >= count(whole, LTR_LETTERS);
  return (fromTheRight ? reversed(runs) : turnParts(runs)).map(({ text }) => text).join('');
}

function count(text: string, letters: RegExp): number {
  return text.match(letters)?.length ?? 0;
}

function runsOf(drawn: readonly DrawnText[]): Run[] {
  const runs: Run[] = [];
  let visual = '';
  const flush = (): void => {
    for (const { groups } of visual.matchAll(RUN)) runs.push(runOf(groups ?? {}));
    visual = '';
  };
  for (const { text, isRightToLeft } of drawn) {
    if (!isRightToLeft) {
      visual += text;
      continue;
    }
    flush();
    runs.push({ kind: 'rtl', text: withBracketsTurned(text) });
  }
  flush();
  return runs;
}

function runOf({ rtl, ltr, neutral = '' }: Record<string, string | undefined>): Run {
  if (rtl !== undefined) return { kind: 'rtl', text: rtl };
  if (ltr === undefined) return { kind: 'neutral', text: neutral };
  return { kind: ltr.search(LTR_LETTERS) === -1 ? 'number' : 'ltr', text: ltr };
}

/**
 * Brackets are mirrored in right-to-left text. A run that closes a bracket before it opens one has not been
 * mirrored back yet.
 */
function withBracketsTurned(text: string): string {
  const first = /[()[\]{}]/.exec(text)?.[0] ?? '(';
  return '([{'.includes(first) ? text : mirrored(text);
}

function mirrored(text: string): string {
  return text.replace(/[()[\]{}<>«»]/g, (bracket) => MIRRORED[bracket] ?? bracket);
}

/** Keeps the order of several left-to-right words, including the numbers and punctuation among them. */
function joinPhrases(runs: readonly Run[]): Run[] {
  const joined: Run[] = [];
  for (const run of runs) {
    if (run.kind !== 'ltr') {
      joined.push(run);
      continue;
    }
    const before = joined.findLastIndex(({ kind }) => kind === 'ltr' || kind === 'rtl');
    const between = joined.slice(before + 1);
    const isPhrase = joined[before]?.kind === 'ltr' && between.every(({ text }) => text.trim() !== ':');
    const parts = isPhrase ? joined.splice(before) : [];
    joined.push({ kind: 'ltr', text: [...parts, run].map(({ text }) => text).join('') });
  }
  return joined;
}

function reversed(runs: readonly Run[]): Run[] {
  return runs
    .toReversed()
    .map(({ kind, text }) => (kind === 'neutral' ? { kind, text: mirrored(text) } : { kind, text }));
}

/** Reverses the right-to-left part inside a run, from its first number or letter to its last. */
function turnParts(runs: readonly Run[]): Run[] {
  const parts: Run[] = [];
  let pending: Run[] = [];
  const flush = (): void => {
    const last = pending.findLastIndex(({ kind }) => kind === 'rtl');
    parts.push(...reversed(pending.slice(0, last + 1)), ...pending.slice(last + 1));
    pending = [];
  };
  for (const run of runs) {
    const begins = pending.length > 0 || run.kind === 'rtl' || run.kind === 'number';
    if (run.kind === 'ltr') flush();
    if (run.kind === 'ltr' || !begins) parts.push(run);
    else pending.push(run);
  }
  flush();
  return parts;
}
