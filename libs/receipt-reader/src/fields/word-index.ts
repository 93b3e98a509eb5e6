/** A word found in a text: its index in the list, and its start and end. */
export interface Hit {
  readonly word: number;
  readonly from: number;
  readonly to: number;
  /** Number of letters changed, added or dropped. */
  readonly slips: number;
}

/** The number of bits in a state. */
const MOST_LETTERS = 30;
const PIECE = 3;

function add(index: Map<string, number[]>, key: string, word: number): void {
  const words = index.get(key);
  if (words) words.push(word);
  else index.set(key, [word]);
}

/** Finds many words in short texts in one pass. */
export class WordIndex {
  private readonly byBeginning = new Map<string, number[]>();
  /**
   * If a word has k errors, at least one of its k + 1 parts is unchanged. Maps the first letters of each part
   * to words.
   */
  private readonly byPiece = new Map<string, number[]>();

  private readonly masks: readonly Masks[];

  /**
   * Words of six letters may have one error, of twelve letters two. Words in `dear` may have one error at any
   * length.
   */
  constructor(
    private readonly words: readonly string[],
    private readonly dear: ReadonlySet<string> = new Set(),
  ) {
    this.masks = words.map((letters) => masksOf(letters.slice(0, MOST_LETTERS)));
    words.forEach((letters, word) => {
      add(this.byBeginning, letters.slice(0, 2), word);
      const parts = this.slipsAllowed(letters) + 1;
      if (parts === 1) return;
      for (let part = 0; part < parts; part++) {
        const from = Math.floor((part * letters.length) / parts);
        add(this.byPiece, letters.slice(from, from + PIECE), word);
      }
    });
  }

  private slipsAllowed(letters: string): number {
    if (letters.length >= 12) return 2;
    return letters.length >= 6 || this.dear.has(letters) ? 1 : 0;
  }

  /** Returns all exact matches. */
  exact(text: string): Hit[] {
    const hits: Hit[] = [];
    for (let from = 0; from < text.length; from++) {
      for (const word of this.beginningAt(text, from)) {
        const to = from + (this.words[word]?.length ?? 0);
        if (text.slice(from, to) === this.words[word]) hits.push({ word, from, to, slips: 0 });
      }
    }
    return hits;
  }

  /** Returns the words that begin with the two letters at this offset, and the words of one letter. */
  private beginningAt(text: string, from: number): readonly number[] {
    const longer = this.byBeginning.get(text.slice(from, from + 2)) ?? [];
    const single = from + 1 < text.length ? (this.byBeginning.get(text.charAt(from)) ?? []) : [];
    return single.length > 0 ? [...longer, ...single] : longer;
  }

  /** Returns the best match of each longer word, with the fewest errors. */
  nearly(text: string): Hit[] {
    const candidates = new Set<number>();
    for (let from = 0; from + PIECE <= text.length; from++) {
      for (const word of this.byPiece.get(text.slice(from, from + PIECE)) ?? []) candidates.add(word);
    }
    const hits: Hit[] = [];
    for (const word of candidates) {
      const letters = (this.words[word] ?? '').slice(0, MOST_LETTERS);
      const masks = this.masks[word];
      if (masks === undefined || letters.length > text.length + 2) continue;
      const hit = findNearly(letters.length, masks, text, this.slipsAllowed(letters));
      if (hit) hits.push({ word, ...hit });
    }
    return hits;
  }
}

type Masks = ReadonlyMap<string, number>;

/** Returns a bit mask for each letter: the positions at which the word has it. */
function masksOf(letters: string): Masks {
  const masks = new Map<string, number>();
  for (let index = 0; index < letters.length; index++) {
    const letter = letters.charAt(index);
    masks.set(letter, (masks.get(letter) ?? 0) | (1 << index));
  }
  return masks;
}

/**
 * Finds the match of a word with the fewest errors, two at most, by the Wu-Manber algorithm. The bits of each
 * state are the prefixes of the word that end at this position with zero, one or two errors.
 */
function findNearly(length: number, masks: Masks, text: string, most: number): Omit<Hit, 'word'> | undefined {
  const done = 1 << (length - 1);
  let none = 0;
  let one = 1;
  let two = 3;
  let best: Omit<Hit, 'word'> | undefined;
  for (let index = 0; index < text.length; index++) {
    const mask = masks.get(text.charAt(index)) ?? 0;
    const nowNone = ((none << 1) | 1) & mask;
    const nowOne = (((one << 1) | 1) & mask) | none | ((none | nowNone) << 1) | 1;
    two = (((two << 1) | 1) & mask) | one | ((one | nowOne) << 1) | 1;
    none = nowNone;
    one = nowOne;
    if ((two & done) === 0) continue;
    const slips = (none & done) !== 0 ? 0 : (one & done) !== 0 ? 1 : 2;
    if (slips > most || (best && slips >= best.slips)) continue;
    best = { from: Math.max(index - length + 1, 0), to: index + 1, slips };
    if (slips === 0) break;
  }
  return best;
}
