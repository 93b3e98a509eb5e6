/** A character that was read in a line, and where. */
export interface ReadCharacter {
  readonly text: string;
  /** 0 to 1 */
  readonly confidence: number;
  /** Of its middle, as a share of the line's width (0 to 1). */
  readonly position: number;
}

/** Mean of the characters; 0 of none. */
export function confidenceOf(characters: readonly ReadCharacter[]): number {
  const sum = characters.reduce((total, { confidence }) => total + confidence, 0);
  return sum / Math.max(1, characters.length);
}

/** Which classes of the recogniser may be read; class 0 is its blank. */
export interface Alphabet {
  /** Numbers of the classes, the blank first. */
  readonly classes: Uint16Array;
  /** The text of each of `classes`. */
  readonly texts: readonly string[];
}

/**
 * Only Latin letters, digits and signs are read: without the thousands of Chinese characters a doubtful stroke becomes
 * the likeliest digit or letter. Full-width forms become their plain twins.
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

/** `scores` holds, for each step along the line, the probability of each class; `share` of the steps are the line. */
export interface StepScores {
  readonly scores: Float32Array;
  readonly from: number;
  readonly steps: number;
  readonly classCount: number;
}

/** Reads the likeliest class of each step; what repeats without a blank between is one character. */
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
