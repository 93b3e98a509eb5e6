import { isDigit, isLetter, squash, type Squashed } from './text';
import { VOCABULARY, type Concept } from './vocabulary';
import { WordIndex, type Hit } from './word-index';

export interface Label {
  readonly concept: Concept;
  /** Offset in the text. */
  readonly start: number;
  readonly end: number;
  /** Length of the label, in letters. */
  readonly length: number;
  /** Number of misread letters. */
  readonly slips: number;
}

const WORDS = Object.entries(VOCABULARY).flatMap(([concept, words]) =>
  words
    .split(' ')
    .filter((letters) => letters.length > 0)
    .map((letters) => ({ concept: concept as Concept, letters })),
);

/** Maps characters that OCR confuses to one character. */
const LOOKALIKES: Readonly<Record<string, string>> = {
  '0': 'O',
  Q: 'O',
  '1': 'I',
  L: 'I',
  '5': 'S',
  '8': 'B',
  '6': 'G',
  '2': 'Z',
};

const alike = (text: string): string =>
  text.replace(/[0Q1L5862]/g, (character) => LOOKALIKES[character] ?? '');

const EXACT = new WordIndex(WORDS.map((word) => word.letters));
/** These short words may contain a misread letter, because the total depends on them. */
const DEAR = new Set([alike('TOTAL')]);
const LOOSE = new WordIndex(
  WORDS.map((word) => alike(word.letters)),
  DEAR,
);

const HEBREW_PREFIX = /[הלבומכשו]/;

interface Taken extends Label {
  readonly from: number;
  readonly to: number;
}

/** Assigns each position of a text to the longest label there. */
class Finder {
  readonly taken: Taken[] = [];

  constructor(
    private readonly text: string,
    private readonly squashed: Squashed,
    private readonly loose: boolean,
  ) {}

  find(): Label[] {
    if (this.loose) {
      const haystack = alike(this.squashed.text);
      this.takeAll(LOOSE.exact(haystack));
      this.takeAll(LOOSE.nearly(haystack));
    } else {
      this.takeAll(EXACT.exact(this.squashed.text));
    }
    return this.taken
      .map(({ concept, start, end, length, slips }) => ({ concept, start, end, length, slips }))
      .sort((one, other) => one.start - other.start);
  }

  private takeAll(hits: readonly Hit[]): void {
    for (const hit of [...hits].sort(byWorth)) this.take(hit);
  }

  private take(hit: Hit): void {
    const word = WORDS[hit.word];
    if (word === undefined) return;
    if (this.taken.some((other) => hit.from < other.to && other.from < hit.to)) return;
    const start = this.squashed.offsets[hit.from] ?? 0;
    const end = (this.squashed.offsets[hit.to - 1] ?? start) + 1;
    if (!this.isSpelled(hit) || !this.standsAlone(word.letters, hit)) return;
    const { concept, letters } = word;
    this.taken.push({
      concept,
      start,
      end,
      length: letters.length,
      slips: hit.slips,
      from: hit.from,
      to: hit.to,
    });
  }

  /** In a word "5" may be a misread S, but "105" is not a word. */
  private isSpelled(hit: Hit): boolean {
    if (!this.loose) return true;
    let digits = 0;
    for (let at = hit.from; at < hit.to; at++) if (isDigit(this.squashed.text[at])) digits++;
    return digits * 2 < hit.to - hit.from;
  }

  /** A short word must stand alone or beside another label. A long word may be joined to its neighbours. */
  private standsAlone(letters: string, hit: Hit): boolean {
    const starts = this.startsWord(letters, hit.from);
    const ends = this.endsWord(hit.to);
    if (starts && ends) return true;
    if (!this.loose) return false;
    if (hit.slips > 0) return starts && letters.length >= 10;
    return letters.length >= 5 && (starts || ends);
  }

  private startsWord(letters: string, at: number): boolean {
    const offset = this.squashed.offsets[at] ?? 0;
    const before = this.text[offset - 1];
    if (!isLetter(before) || this.taken.some((other) => other.to === at)) return true;
    const hebrew = /^[\u05d0-\u05ea]{3}/.test(letters);
    return hebrew && HEBREW_PREFIX.test(before ?? '') && !isLetter(this.text[offset - 2]);
  }

  private endsWord(at: number): boolean {
    const offset = this.squashed.offsets[at - 1] ?? 0;
    return !isLetter(this.text[offset + 1]) || this.taken.some((other) => other.from === at);
  }
}

const byWorth = (one: Hit, other: Hit): number =>
  one.slips - other.slips || other.to - other.from - (one.to - one.from) || one.from - other.from;

/**
 * Returns the labels of a text in order. `loose` accepts labels with a few misread letters or without spaces.
 */
export function findLabels(text: string, loose: boolean): Label[] {
  const squashed = squash(text);
  if (!/\p{L}/u.test(squashed.text)) return [];
  return new Finder(text, squashed, loose).find();
}
