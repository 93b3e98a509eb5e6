/** Digits that look like letters, with the letter in upper and lower case. */
const LETTER_FOR: Readonly<Record<string, { upper: string; lower: string }>> = {
  '0': { upper: 'O', lower: 'o' },
  '1': { upper: 'I', lower: 'l' },
};

/**
 * Corrects characters that OCR confuses without context: a letter O among digits, a 0 or 1 inside a word.
 * Codes that mix letters and digits are left unchanged.
 */
export function withSignsPutRight(text: string): string {
  return text.replace(/[^\s:;()/\-]+/g, (word) => wordPutRight(numberPutRight(word)));
}

function numberPutRight(word: string): string {
  return word
    .replace(/(?<=\d)[Oo](?=\d|[.,]\d|$)/g, '0')
    .replace(/(?<![A-Za-z])[Oo](?=[.,]?\d)/g, '0')
    .replace(/(?<=^(?:RM|S?\$))[Oo](?=[.,]\d)/g, '0')
    .replace(/(?<=[\d.,])[Il|](?=\d)/g, '1');
}

function wordPutRight(word: string): string {
  const letters = word.replace(/[^A-Za-z]/g, '');
  const digits = word.replace(/\D/g, '');
  if (/^N0\.?$/.test(word)) return word.replace('0', 'O');
  if (digits.length === 0 || letters.length < 3 || letters.length < 3 * digits.length) return word;
  return word.replace(/(?<=[A-Za-z])[01]/g, (digit, at: number) => {
    const before = word[at - 1]!;
    const letter = LETTER_FOR[digit]!;
    return /[a-z]/.test(before) ? letter.lower : letter.upper;
  });
}
