import type { Page } from '../page';
import { columnsOf } from './columns';
import { hasRightToLeft, logicalOrder } from './logical-order';
import { LINES_MAX, pageOf, TextBox } from './text-box';

/** Of longer lines only the beginning is read: no page is as wide. */
const LINE_LENGTH_MAX = 5_000;
/** Text by its first characters is as good a sample as all of it. */
const SAMPLE_CHARACTERS = 100_000;
/** The forms of five Hebrew letters that end a word, and begin none. */
const BEGINS_WITH_FINAL = /(?<!\p{L})[ךםןףץ]\p{L}/gu;
const ENDS_WITH_FINAL = /\p{L}[ךםןףץ](?!\p{L})/gu;

/** The lines of a text as a page; two or more spaces, or a tab, part one column from the next. */
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

/** Old systems write Hebrew in drawing order, from left to right: then the final forms of letters begin words. */
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
