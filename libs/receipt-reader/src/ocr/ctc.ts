/** A recognised character and its position. */
export interface ReadCharacter {
  readonly text: string;
  /** 0 to 1 */
  readonly confidence: number;
  /** Position of its middle, as a share of the width of the line (0 to 1). */
  readonly position: number;
}

/** Mean confidence of the characters, or 0 if there are none. */
export function confidenceOf(characters: readonly ReadCharacter[]): number {
  const sum = characters.reduce((total, { confidence }) => total + confidence, 0);
  return sum / Math.max(1, characters.length);
}

/** The classes of the model that may be read. Class 0 is the blank. */
export interface Alphabet {
  /** Class numbers, the blank first. */
  readonly classes: Uint16Array;
  /** The text of each of `classes`. */
  readonly texts: readonly string[];
}

/**
 * Restricts the model to Latin letters, digits and punctuation. Without its thousands of Chinese characters,
 * an unclear stroke is read as the most likely digit or letter. Full-width characters map to the ordinary
 * ones.
 */
export function latinAlphabet(characters: readonly string[]): Alphabet {
  const classes = [0];
  const texts = [''];
  for (const [index, character] of [...characters, ' '].entries()) {
    const text = character.normalize('NFKC');
    if (!/^(?:[ -~£¥€§°]|[\u00c0-\u017f])$/.test(text) || (text === ' ' && index !== characters.length))
      continue;
    classes.push(index + 1);
    texts.push(text);
  }
  return { classes: Uint16Array.from(classes), texts };
}

/**
 * `scores` holds the probability of each class for each step along the line. `share` is the part of the steps
 * that the line covers; the rest is padding.
 */
export interface StepScores {
  readonly scores: Float32Array;
  readonly from: number;
  readonly steps: number;
  readonly classCount: number;
}

/**
 * Reads the most likely class of each step. Repeated classes without a blank between them are one character.
 */
export function decodeSteps(
  { scores, from, steps, classCount }: StepScores,
  alphabet: Alphabet,
  share: number,
): ReadCharacter[] {
  const read: ReadCharacter[] = [];
  let run: { entry: number; best: number; sum: number; weight: number } | undefined;
  const close = () => {
    if (!run) return;
    const position = (run.sum / run.weight + 0.5) / steps / share;
    read.push({ text: alphabet.texts[run.entry]!, confidence: run.best, position });
    run = undefined;
  };
  for (let step = 0; step < steps; step++) {
    const { entry, score } = likeliest(scores, from + step * classCount, alphabet);
    if (run && entry !== run.entry) close();
    if (entry === 0) continue;
    run ??= { entry, best: 0, sum: 0, weight: 0 };
    run.best = Math.max(run.best, score);
    run.sum += step * score;
    run.weight += score;
  }
  close();
  return read;
}

function likeliest(
  scores: Float32Array,
  from: number,
  { classes }: Alphabet,
): { entry: number; score: number } {
  let entry = 0;
  let score = -1;
  for (let index = 0; index < classes.length; index++) {
    const value = scores[from + classes[index]!]!;
    if (value <= score) continue;
    score = value;
    entry = index;
  }
  return { entry, score };
}
