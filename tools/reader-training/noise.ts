import type { Page, Span } from '../../libs/receipt-reader/src/page';

/** Returns a generator of deterministic pseudo-random numbers (linear congruential). */
export function seeded(seed: number): () => number {
  let state = (seed * 2654435761 + 12345) >>> 0;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 4294967296;
  };
}

const LOOKALIKES: Readonly<Record<string, string>> = {
  O: '0',
  '0': 'O',
  I: '1',
  '1': 'I',
  S: '5',
  B: '8',
  E: 'F',
  C: 'G',
  M: 'N',
  H: 'N',
  a: 'e',
  e: 'c',
};

function misread(text: string, random: () => number): string {
  const letters = [...text].map((letter) => {
    const other = LOOKALIKES[letter];
    return other !== undefined && random() < 0.02 ? other : letter;
  });
  let result = letters.join('');
  if (random() < 0.3)
    result = result.replace(/(?<=\p{L}) (?=\p{L})|(?<=[:.]) (?=\d)/gu, () => (random() < 0.8 ? '' : ' '));
  if (random() < 0.04) result = result.replace(/(?<=\d)\.(?=\d\d$)/, () => (random() < 0.5 ? '. ' : ' '));
  return result;
}

function shaken(span: Span, random: () => number): Span {
  const jitter = (): number => (random() - 0.5) * 0.2 * span.height;
  return {
    ...span,
    text: misread(span.text, random),
    x: span.x + jitter(),
    y: span.y + jitter(),
    confidence: 0.7 + 0.3 * random(),
  };
}

/**
 * Returns the page as OCR might have read it: misread letters, lost spaces, shifted boxes and a slight
 * rotation.
 */
export function withNoise(page: Page, seed: number): Page {
  const random = seeded(seed);
  const slope = (random() - 0.5) * 0.04;
  const spans = page.spans
    .map((span) => shaken(span, random))
    .map((span) => ({ ...span, y: span.y + slope * span.x }));
  return { ...page, spans };
}
