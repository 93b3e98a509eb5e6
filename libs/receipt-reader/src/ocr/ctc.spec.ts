import { confidenceOf, decodeSteps, latinAlphabet } from './ctc';

const CHARACTERS = ['A', '1', '中', '，', '１'];
const alphabet = latinAlphabet(CHARACTERS);

/** One step of scores: class 0 is the blank, then CHARACTERS, then the space. */
function scoresOf(steps: readonly Record<string, number>[]) {
  const classes = ['', ...CHARACTERS, ' '];
  return Float32Array.from(steps.flatMap((step) => classes.map((text) => step[text] ?? 0)));
}

function read(...steps: Record<string, number>[]) {
  const scores = { scores: scoresOf(steps), from: 0, steps: steps.length, classCount: 7 };
  return decodeSteps(scores, alphabet, 1);
}
const textOf = (characters: readonly { text: string }[]) => characters.map(({ text }) => text).join('');

describe('reading the steps of a line', () => {
  it('merges repeated characters, unless there is a blank between', () => {
    expect(textOf(read({ A: 1 }, { A: 0.9 }, { '': 1 }, { '1': 1 }, { '': 1 }, { '1': 1 }))).toBe('A11');
  });

  it('reads the likeliest Latin character for a Chinese one, with low confidence', () => {
    const [character] = read({ 中: 0.8, '1': 0.15 });
    expect(character).toMatchObject({ text: '1', confidence: expect.closeTo(0.15, 5) });
  });

  it('reads full-width forms as ordinary characters, and the space', () => {
    expect(textOf(read({ '１': 1 }, { '': 1 }, { '，': 1 }, { ' ': 1 }, { A: 1 }))).toBe('1, A');
  });

  it('returns the position of a character, without the padding', () => {
    const steps = [{ '': 1 }, { A: 1 }, { '': 1 }, { '': 1 }];
    const scores = { scores: scoresOf(steps), from: 0, steps: 4, classCount: 7 };
    // The line takes up half of the steps: the middle of step 1 is three quarters along it.
    expect(decodeSteps(scores, alphabet, 0.5)[0]!.position).toBeCloseTo(0.75);
  });

  it('has the confidence 0 without characters', () => {
    expect(confidenceOf([])).toBe(0);
    expect(confidenceOf(read({ A: 0.5 }, { '': 1 }, { '1': 1 }))).toBeCloseTo(0.75);
  });
});
