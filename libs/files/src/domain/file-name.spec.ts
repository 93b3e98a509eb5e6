import fc from 'fast-check';
import { cleanFileName, FILE_NAME_LENGTH_MAX } from './file-name';

describe('a file name', () => {
  it.each([
    ['receipt.pdf', 'receipt.pdf'],
    ['קבלה מס׳ 7.pdf', 'קבלה מס׳ 7.pdf'],
    ['C:\\fakepath\\receipt.pdf', 'receipt.pdf'],
    ['../../etc/passwd', 'passwd'],
    ['/etc/', 'file'],
    ['..', 'file'],
    ['...', 'file'],
    ['.', 'file'],
    ['', 'file'],
    ['   ', 'file'],
    [undefined, 'file'],
    ['.env', '.env'],
    ['a\r\nSet-Cookie: x.pdf', 'aSet-Cookie: x.pdf'],
    ['a\0b.pdf', 'ab.pdf'],
    ['\u202egpj.exe', 'gpj.exe'],
    ['a\u200bb\ufeff.pdf', 'ab.pdf'],
    ['a\ud800.pdf', 'a.pdf'],
    ['  two   spaces .pdf ', 'two spaces .pdf'],
    ['cafe\u0301.pdf', 'café.pdf'],
    ['"quoted"; x.pdf', '"quoted"; x.pdf'],
    ['100%.pdf', '100%.pdf'],
    ['📄.pdf', '📄.pdf'],
    [`${'x'.repeat(251)}.pdf`, `${'x'.repeat(251)}.pdf`],
    [`${'x'.repeat(300)}.pdf`, `${'x'.repeat(251)}.pdf`],
    [`${'📄'.repeat(300)}.pdf`, `${'📄'.repeat(251)}.pdf`],
    ['x'.repeat(300), 'x'.repeat(255)],
    [`x.${'y'.repeat(300)}`, `x.${'y'.repeat(253)}`],
  ])('%j becomes %j', (sent, expected) => {
    expect(cleanFileName(sent)).toBe(expected);
  });

  it('is one visible line for any input, and does not change when it is cleaned again', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 400 }), (sent) => {
        const name = cleanFileName(sent);
        expect([...name].length).toBeLessThanOrEqual(FILE_NAME_LENGTH_MAX);
        expect(name).toMatch(/^\S(.*\S)?$/u);
        expect(name).not.toMatch(/[\p{Cc}\p{Cf}\p{Cs}/\\]/u);
        expect(cleanFileName(name)).toBe(name);
      }),
      { numRuns: 500 },
    );
  });
});
