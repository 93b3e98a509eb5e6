import { ask, partOf, thresholdOf, type Answer } from './learn';

const answer = (confidence: number, right: boolean): Answer => ({
  id: 'one',
  value: 1,
  confidence,
  verdictAbove: right ? 'tp' : 'wrong',
  verdictBelow: 'fn',
});

describe('learning', () => {
  it('has examples for the known fields, with the right answers', () => {
    const span = (text: string, x: number, y: number) => ({
      text,
      x,
      y,
      width: 80,
      height: 10,
      confidence: 1,
    });
    const lesson = {
      id: 'one',
      source: 'ocr' as const,
      merchant: 'm',
      weight: 1,
      truth: { total: 12.5 },
      pages: [
        {
          width: 300,
          height: 100,
          spans: [span('TOTAL', 0, 10), span('12.50', 200, 10), span('9.00', 200, 40)],
        },
      ],
    };
    const judge = (_field: string, predicted: unknown, truth: unknown) =>
      predicted === undefined ? 'fn' : predicted === truth ? 'tp' : 'wrong';
    const asked = ask([lesson], judge);
    expect(asked.date).toEqual([]);
    expect(asked.total[0]?.values).toEqual([12.5, 9]);
    expect(asked.total[0]?.candidates.map((candidate) => candidate.right)).toEqual([true, false]);
  });

  it('has examples for the tax with another total', () => {
    const words = ['TOTAL', '12.00', 'VAT', '2.00'];
    const spans = words.map((text, index) => ({
      text,
      x: index % 2 === 0 ? 0 : 200,
      y: index < 2 ? 10 : 40,
      width: 60,
      height: 10,
      confidence: 1,
    }));
    const lesson = {
      id: 'one',
      source: 'text' as const,
      merchant: 'm',
      weight: 1,
      truth: { total: 12, tax: 2 },
      pages: [{ width: 300, height: 100, spans }],
    };
    const [asked] = ask([lesson], (_field, predicted, truth) => (predicted === truth ? 'tp' : 'wrong')).tax;
    expect(asked?.candidates[0]?.features).not.toHaveProperty('noTotal');
    expect(asked?.givenTotal?.(undefined).candidates[0]?.features).toHaveProperty('noTotal', 1);
    expect(asked?.givenTotal?.(200).candidates[0]?.features).toHaveProperty('isTotal', 1);
  });

  it('sets a threshold above the wrong answers', () => {
    const answers = [
      ...Array.from({ length: 50 }, () => answer(0.9, true)),
      ...Array.from({ length: 5 }, () => answer(0.6, false)),
    ];
    const threshold = thresholdOf('total', answers);
    expect(threshold).toBeGreaterThan(0.6);
    expect(threshold).toBeLessThanOrEqual(0.9);
  });

  it('keeps all documents of a merchant in one fold', () => {
    expect(partOf('ACME', 3)).toBe(partOf('ACME', 3));
    const parts = new Set(
      ['ACME', 'BETA', 'GAMMA', 'DELTA', 'EPSILON', 'ZETA', 'ETA'].map((name) => partOf(name, 3)),
    );
    expect(parts.size).toBeGreaterThan(1);
  });
});
