/** Hebrew letters by the Latin consonants that usually spell them. Vowels and silent letters are left out. */
const HEBREW: Readonly<Record<string, string>> = {
  ב: 'B',
  ג: 'G',
  ד: 'D',
  ז: 'S',
  ט: 'T',
  כ: 'K',
  ך: 'K',
  ל: 'L',
  מ: 'M',
  ם: 'M',
  נ: 'N',
  ן: 'N',
  ס: 'S',
  פ: 'P',
  ף: 'P',
  צ: 'S',
  ץ: 'S',
  ק: 'K',
  ר: 'R',
  ש: 'S',
  ת: 'T',
};

const LATIN: readonly (readonly [RegExp, string])[] = [
  [/SH|TZ|TS|CZ|[ZXC](?=[EI])|Z/g, 'S'],
  [/CH|KH|H|[AEIOUYWJ]/g, ''],
  [/[VB]/g, 'B'],
  [/PH|[FP]/g, 'P'],
  [/[CQK]/g, 'K'],
];

/** Returns the consonants of a word in Hebrew or Latin letters, so that both spellings of a name are alike. */
export function consonantsOf(word: string): string {
  const upper = word.toUpperCase();
  if (!/[\u05d0-\u05ea]/.test(upper)) {
    return LATIN.reduce((text, [pattern, letter]) => text.replace(pattern, letter), upper).replace(
      /[^A-Z]/g,
      '',
    );
  }
  // A vav is a consonant at the beginning of a word, and mostly a vowel elsewhere.
  return [...upper.replace(/^ו/, 'ב')].map((letter) => HEBREW[letter] ?? '').join('');
}
