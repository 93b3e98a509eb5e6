import type { Page } from '../page';
import { columnsOf } from './columns';
import { hasRightToLeft, logicalOrder } from './logical-order';
import { LINES_MAX, pageOf, TextBox } from './text-box';

/** Only the beginning of longer lines is read, because no page is this wide. */
const LINE_LENGTH_MAX = 5_000;
/** The direction is determined from this many leading characters. */
const SAMPLE_CHARACTERS = 100_000;
/** Five Hebrew letters have a final form that occurs only at the end of a word. */
const BEGINS_WITH_FINAL = /(?<!\p{L})[ךםןףץ]\p{L}/gu;
const ENDS_WITH_FINAL = /\p{L}[ךםןףץ](?!\p{L})/gu;

/** Returns the lines of a text as a page. Tabs and two or more spaces separate columns. */
export function plainTextPage(text: string): Page {
  const box = new TextBox();
  const isDrawn = isDrawnFromTheLeft(text.slice(0, SAMPLE_CHARACTERS));
  for (const line of linesOf(text)) {
    const pieces = columnsOf(line);
    box.addLine(isDrawn ? pieces.map(({ text: drawn, x }) => ({ text: inOrder(drawn), x })) : pieces);
  }
  return isDrawn ? pageOf(box, false) : pageOf(box);
}

function* linesOf(text: string): Generator<string> {
  const end = /\r\n|[\n\r\f\v\u0085\u2028\u2029]/g;
  let from = 0;
  for (let lines = 0; lines < LINES_MAX && from < text.length; lines++) {
    const to = end.exec(text)?.index ?? text.length;
    yield text.slice(from, Math.min(to, from + LINE_LENGTH_MAX));
    from = to === text.length ? to : end.lastIndex;
  }
}

/**
 * True if Hebrew is in drawing order, as old systems write it. Then final forms occur at the beginning of
 * words.
 */
function isDrawnFromTheLeft(text: string): boolean {
  if (!hasRightToLeft(text)) return false;
  const begins = text.match(BEGINS_WITH_FINAL)?.length ?? 0;
  return begins > 2 && begins > 3 * (text.match(ENDS_WITH_FINAL)?.length ?? 0);
}

function inOrder(drawn: string): string {
  const turned = drawn.replace(/[\u0590-\u05ff]+(?:["'״׳.-][\u0590-\u05ff]+)*/g, (word) =>
    [...word].toReversed().join(''),
  );
  return logicalOrder([{ text: turned, isRightToLeft: false }]);
}
