import { fit, type Question } from './fit';
import { seeded, withNoise } from './noise';

const question = (features: Record<string, number>[], right: number): Question => ({
  candidates: features.map((one, index) => ({ features: one, right: index === right })),
  noneRight: right < 0,
  weight: 1,
});

describe('fitting', () => {
  const questions = Array.from({ length: 20 }, () => question([{ labelled: 1 }, { plain: 1 }], 0));

  it('learns which features indicate the right answer', () => {
    const weights = fit(questions, {}, 0.1);
    expect(weights['labelled']).toBeGreaterThan(1);
    expect(weights['plain']).toBeLessThan(0);
  });

  it('keeps the prior without evidence', () => {
    expect(fit(questions, { unseen: 2.5 }, 0.1)['unseen']).toBe(2.5);
  });

  it('learns to leave a field out', () => {
    const none = Array.from({ length: 20 }, () => question([{ plain: 1 }], -1));
    expect(fit(none, {}, 0.1)['plain']).toBeLessThan(0);
  });

  it('is deterministic', () => {
    expect(fit(questions, { bias: -1 }, 0.1)).toEqual(fit(questions, { bias: -1 }, 0.1));
  });
});

describe('noise', () => {
  const page = {
    width: 100,
    height: 100,
    spans: Array.from({ length: 30 }, (_, index) => ({
      text: 'TOTAL SALES : 12.50 BOB',
      x: 0,
      y: index * 3,
      width: 50,
      height: 2,
      confidence: 1,
    })),
  };

  it('is the same for the same seed, and differs for another', () => {
    expect(withNoise(page, 3)).toEqual(withNoise(page, 3));
    expect(withNoise(page, 3)).not.toEqual(withNoise(page, 4));
  });

  it('changes some of the text', () => {
    expect(withNoise(page, 3).spans.some((span) => span.text !== 'TOTAL SALES : 12.50 BOB')).toBe(true);
  });

  it('draws numbers between 0 and 1', () => {
    const random = seeded(1);
    const drawn = Array.from({ length: 100 }, () => random());
    expect(Math.min(...drawn)).toBeGreaterThanOrEqual(0);
    expect(Math.max(...drawn)).toBeLessThan(1);
  });
});
