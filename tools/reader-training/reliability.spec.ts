import { reliabilityOf } from './reliability';

const outcomes = (confidence: number, right: number, wrong: number) => [
  ...Array.from({ length: right }, () => ({ confidence, isRight: true })),
  ...Array.from({ length: wrong }, () => ({ confidence, isRight: false })),
];

describe('the reliability of a field', () => {
  it('rises with the confidence, also where the answers do not', () => {
    const points = reliabilityOf([
      ...outcomes(0.5, 10, 5),
      ...outcomes(0.8, 5, 10),
      ...outcomes(0.99, 60, 0),
    ]);
    expect(points).toEqual([
      { probability: 0.65, right: 0.5 },
      { probability: 0.99, right: 0.984 },
    ]);
  });

  it('does not take a small group without errors for certain', () => {
    expect(reliabilityOf(outcomes(0.9, 15, 0))).toEqual([{ probability: 0.9, right: 0.941 }]);
  });

  it('does not depend on the order of answers with the same confidence', () => {
    const answers = [...outcomes(0.99961, 0, 15), ...outcomes(0.9999, 15, 0)];
    expect(reliabilityOf(answers)).toEqual([{ probability: 1, right: 0.5 }]);
    expect(reliabilityOf(answers.toReversed())).toEqual(reliabilityOf(answers));
  });

  it('is empty without answers', () => {
    expect(reliabilityOf([])).toEqual([]);
  });
});
