import type { Label } from './labels';
import type { Stretch } from './model';
import { cellAt, extentOf, type Line, type Sheet } from './sheet';
import { isDigit, isLetter } from './text';
import type { Concept } from './vocabulary';

/** A word that contains digits. */
export interface Token extends Stretch {
  readonly text: string;
}

const WORD = /[A-Za-z\d](?:[A-Za-z\d/_.\\-]*[A-Za-z\d])?/g;
/** An abbreviation of "number" joined to the front of a number: "No.1234", "#123". */
const GLUED_FRONT = /^(?:(?:N[O0o]|[A-Za-z]{1,12})[.](?=[A-Za-z]{0,4}-?\d)|(?:NO|Nr|No|no)(?=\d))/;

/**
 * Replaces letters between digits, or at the end of several digits, with the digits that OCR confuses with
 * them.
 */
const repaired = (text: string): string =>
  text
    .replace(/(?<=\d)[OoQ](?=\d|$)/g, '0')
    .replace(/(?<=\d)[Il](?=\d)|[Il]$(?<=^\d{3,}.)|(?<=-)I(?=\d)/g, '1');

/** Returns the words of a row that contain a digit, without labels that OCR joined to them. */
export function tokensOf(line: Line, recognised = false): Token[] {
  const tokens: Token[] = [];
  for (const match of line.text.matchAll(WORD)) {
    let start = match.index;
    let end = start + match[0].length;
    if (!/\d/.test(match[0])) continue;
    const front = GLUED_FRONT.exec(match[0]);
    if (front) start += front[0].length;
    end = withoutLabel(line, start, end);
    const text = line.text.slice(start, end).replace(/(?<![./_\\-])[./_\\-]+$/, '');
    if (!/\d/.test(text)) continue;
    tokens.push({ line, text: recognised ? repaired(text) : text, start, end: start + text.length });
  }
  return tokens;
}

/** Cuts a word where a label starts: "CS00052997DATE". */
function withoutLabel(line: Line, start: number, end: number): number {
  const glued = line.labels.find(
    (label) =>
      label.start > start &&
      label.end === end &&
      label.length >= 4 &&
      label.slips === 0 &&
      isDigit(line.text[label.start - 1]),
  );
  return glued ? glued.start : end;
}

/** The label of a token, and its distance. */
export interface TokenLabel {
  readonly concept: Concept;
  readonly where: 'beside' | 'row' | 'above';
  /** True if a word for "number" follows the label, or the label has more than 8 characters. */
  readonly numbered: boolean;
  readonly label: Label;
}

/**
 * Returns the label of a number. The nearest label before it in the row is "beside" if only punctuation
 * stands between, and "row" otherwise. Without one, the nearest label above it in its column counts.
 */
export function labelFor(sheet: Sheet, token: Token, reach: number): TokenLabel | undefined {
  const { line } = token;
  const before = line.labels.filter((label) => label.end <= token.start);
  const last = afterTitle(line, before);
  if (last) {
    const between = line.text.slice(last.end, token.start).replace(/(?<=\s)[A-Z]{1,3}\s$/, '');
    const beside = !/[\d\p{L}]/u.test(between) || /^[^\d]{0,3}$/.test(between);
    const numbered = last.concept === 'numberWord';
    const named = numbered ? namedBefore(line, before) : last;
    if (named)
      return {
        concept: named.concept,
        where: beside ? 'beside' : 'row',
        numbered: numbered || named.length > 8,
        label: named,
      };
  }
  return labelAbove(sheet, token, reach) ?? fallback(last);
}

const fallback = (label: Label | undefined): TokenLabel | undefined =>
  label && { concept: label.concept, where: 'row', numbered: true, label };

/** Returns the last label. Of "Invoice / delivery note" it returns the title, whose number follows. */
function afterTitle(line: Line, before: readonly Label[]): Label | undefined {
  const last = before.at(-1);
  const title = before.at(-2);
  if (last?.concept !== 'order' || title?.concept !== 'title') return last;
  return /^\s?[/&+]\s?$/.test(line.text.slice(title.end, last.start)) ? { ...title, end: last.end } : last;
}

/** Returns the label before a bare "No." if only punctuation stands between: "Rechnung Nr." */
function namedBefore(line: Line, before: readonly Label[]): Label | undefined {
  const word = before.at(-1);
  const named = before.at(-2);
  if (!word || !named || cellAt(line, named.start) !== cellAt(line, word.start)) return word;
  return /\d/.test(line.text.slice(named.end, word.start)) ? word : named;
}

function labelAbove(sheet: Sheet, token: Token, reach: number): TokenLabel | undefined {
  const extent = extentOf(token.line, token.start, token.end);
  for (let index = token.line.index - 1; index >= Math.max(token.line.index - reach, 0); index--) {
    const above = sheet.lines[index];
    if (!above || above.page !== token.line.page) return undefined;
    const label = above.labels.findLast((other) => {
      const place = extentOf(above, other.start, other.end);
      return place.x < extent.right && extent.x < place.right && !hasOwnNumber(above, other);
    });
    if (label) return { concept: label.concept, where: 'above', numbered: false, label };
  }
  return undefined;
}

/** True if the label already has a number in its own row, so that it does not label the cells below. */
function hasOwnNumber(line: Line, label: Label): boolean {
  const rest = line.text.slice(label.end);
  const next = line.labels.find((other) => other.start >= label.end && other.concept !== 'numberWord');
  return /\d/.test(next ? line.text.slice(label.end, next.start) : rest);
}

/** True if the text at this position is adjacent to a letter, so that it is part of a word. */
export const touchesLetter = (line: Line, start: number, end: number): boolean =>
  isLetter(line.text[start - 1]) || isLetter(line.text[end]);
