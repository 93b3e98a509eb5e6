import { withSpaces } from './spaces';

/** Characters at pixel positions of a line that is 1000 wide. */
function lineOf(places: readonly (readonly [string, number])[]) {
  return places.map(([text, at]) => ({ text, confidence: 1, position: at / 1000 }));
}
/** A monospaced text, with a wider gap at each `|`. */
function printed(text: string, step = 20, gap = 20) {
  let at = 0;
  const places: [string, number][] = [];
  for (const sign of text) {
    at += sign === '|' ? gap : step;
    if (sign !== '|') places.push([sign, at]);
  }
  return lineOf(places);
}
const textOf = (characters: readonly { text: string }[]) => characters.map(({ text }) => text).join('');

describe('the spaces of a line', () => {
  it.each([
    ['TAX|INVOICE', 'TAX INVOICE'],
    ['Tan|Chay|Yee', 'Tan Chay Yee'],
    ['TOTAL', 'TOTAL'],
  ])('are restored where the letters of %s are far apart', (text, expected) => {
    expect(textOf(withSpaces(printed(text)))).toBe(expected);
  });

  it('do not split a number at a slightly wide gap', () => {
    expect(textOf(withSpaces(printed('06/02/20|18', 20, 16)))).toBe('06/02/2018');
    expect(textOf(withSpaces(printed('date|18:30:11', 20, 16)))).toBe('date 18:30:11');
  });

  it('are not doubled if OCR read them', () => {
    expect(textOf(withSpaces(printed('ABCD EFGH')))).toBe('ABCD EFGH');
  });

  it('are found in proportional type', () => {
    const at = [0, 20, 31, 41, 55, 95, 112, 128, 140] as const;
    const places = [...'Mill Ltd.'].flatMap((sign, index) =>
      sign === ' ' ? [] : [[sign, at[index]!] as const],
    );
    expect(textOf(withSpaces(lineOf(places)))).toBe('Mill Ltd.');
  });

  it('are not guessed from two or three characters', () => {
    expect(
      textOf(
        withSpaces(
          lineOf([
            ['1', 0],
            ['2', 300],
            ['3', 350],
          ]),
        ),
      ),
    ).toBe('123');
  });
});
