import { hebrewWordsIn, mergeReadings, type ReadWord } from './merge-readings';

const SLACK = 0.005;

/** Characters at equal distances from `from` to `to`, as the Latin engine returns them. */
function latin(text: string, [from, to]: readonly [number, number], confidence = 0.99) {
  const step = (to - from) / text.length;
  return [...text].map((sign, index) => ({ text: sign, confidence, position: from + (index + 0.5) * step }));
}

/** A word whose Hebrew letters run from right to left and whose digits run from left to right. */
function word(text: string, [left, right]: readonly [number, number], confidence = 0.92): ReadWord {
  const step = (right - left) / text.length;
  const isHebrew = /^[\u05d0-\u05ea]/.test(text);
  const characters = [...text].map((sign, index) => {
    const place = isHebrew ? right - (index + 1) * step : left + index * step;
    return { text: sign, left: place, right: place + step };
  });
  return { text, confidence, left, right, characters };
}

describe('two readings of a line', () => {
  it('return Hebrew in logical order with the digits of the Latin engine, and the other digits as alternative', () => {
    const characters = [...latin('86561', [0.1, 0.3]), ...latin("'n n", [0.4, 0.9], 0.5)];
    const words = [word('86567', [0.1, 0.3]), word("מס'", [0.4, 0.55]), word('חשבונית', [0.6, 0.9])];
    expect(mergeReadings(characters, words, SLACK)).toMatchObject({
      text: "חשבונית מס' 86561",
      alternative: "חשבונית מס' 86567",
    });
  });

  it('keep the digits of the Hebrew engine if the Latin one missed several with low confidence', () => {
    const characters = latin('12', [0.1, 0.3], 0.6);
    const words = [word('12345', [0.1, 0.3]), word('מספר', [0.4, 0.9])];
    expect(mergeReadings(characters, words, SLACK)?.text).toBe('מספר 12345');
  });

  it('have no alternative if both agree', () => {
    const words = [word('23/11/2023', [0.1, 0.5]), word('תאריך:', [0.6, 0.9])];
    const merged = mergeReadings(latin('23/11/2023', [0.1, 0.5]), words, SLACK);
    expect(merged?.text).toBe('תאריך: 23/11/2023');
    expect(merged).not.toHaveProperty('alternative');
  });

  it('keep the signs around a number', () => {
    const words = [word('₪1,270.00', [0.1, 0.4]), word('סה"כ', [0.6, 0.9])];
    expect(mergeReadings(latin('1,278.00', [0.13, 0.4]), words, SLACK)?.text).toBe('סה"כ ₪1,278.00');
  });

  it('keep Latin words in their own order inside Hebrew', () => {
    const characters = [...latin('Orbit', [0.1, 0.25]), ...latin('Cloud', [0.3, 0.45])];
    const words = [word('סזק', [0.1, 0.25], 0.3), word('רסו', [0.3, 0.45], 0.3), word('ספק', [0.7, 0.9])];
    expect(mergeReadings(characters, words, SLACK)?.text).toBe('ספק Orbit Cloud');
  });

  it('add a number that the Hebrew engine missed', () => {
    const words = [word('לתשלום', [0.6, 0.9])];
    expect(mergeReadings(latin('520.13', [0.1, 0.3]), words, SLACK)?.text).toBe('לתשלום 520.13');
  });

  it('replace the letter of the Latin engine with the shekel sign', () => {
    expect(mergeReadings(latin('M520.13', [0.1, 0.9]), [word('₪520.1', [0.1, 0.9])], SLACK)?.text).toBe(
      '520.13 ₪',
    );
  });

  it('use the Latin engine for a line without Hebrew', () => {
    expect(mergeReadings(latin('Total', [0.1, 0.9]), [word('1018', [0.1, 0.9], 0.4)], SLACK)).toBeUndefined();
  });

  it('count only confident words of three letters as Hebrew', () => {
    const words = [
      word('תאריך', [0, 1]),
      word('מס', [0, 1]),
      word('קבלה', [0, 1], 0.5),
      word('2023', [0, 1]),
    ];
    expect(hebrewWordsIn(words)).toBe(1);
  });
});
