import type { Locale } from './locales';
import type { Language } from './wordings/languages';
import type { Draw } from './draw';
import type { Writer } from './writers';

const two = (value: number): string => String(value).padStart(2, '0');

const MONTHS: Readonly<Record<Language, string>> = {
  he: 'he',
  en: 'en',
  de: 'de',
  fr: 'fr',
  nl: 'nl',
  es: 'es',
  it: 'it',
};

function monthOf(language: Language, month: number, style: 'long' | 'short'): string {
  const date = new Date(Date.UTC(2024, month - 1, 15));
  return new Intl.DateTimeFormat(MONTHS[language], { month: style, timeZone: 'UTC' }).format(date);
}

/** Returns a date (YYYY-MM-DD) as the writer prints it in the country. */
export function printedDate(date: string, locale: Locale, { language, dateStyle }: Writer): string {
  const [year = 0, month = 0, day = 0] = date.split('-').map(Number);
  const short = two(year % 100);
  const long = monthOf(language, month, 'long');
  const brief = monthOf(language, month, 'short');
  const mark = { he: '/', en: '/', de: '.', fr: '/', nl: '-', es: '/', it: '/' }[language];
  if (locale.country === 'US') {
    return (
      [
        `${two(month)}/${two(day)}/${year}`,
        `${long} ${day}, ${year}`,
        `${month}/${day}/${year}`,
        `${brief} ${day}, ${year}`,
        date,
      ][dateStyle % 5] ?? date
    );
  }
  const words: Readonly<Record<Language, string>> = {
    he: `${day} ב${long} ${year}`,
    en: `${day} ${long} ${year}`,
    de: `${day}. ${long} ${year}`,
    fr: `${day} ${long} ${year}`,
    nl: `${day} ${long} ${year}`,
    es: `${day} de ${long} de ${year}`,
    it: `${day} ${long} ${year}`,
  };
  const styles = [
    [two(day), two(month), year].join(mark),
    [two(day), two(month), short].join(mark),
    words[language],
    [two(day), two(month), year].join('.'),
    `${day} ${brief} ${year}`,
    [day, month, year].join(mark),
    [two(day), two(month), year].join(mark),
    `${two(day)}-${two(month)}-${year}`,
    words[language],
    date,
    [two(day), two(month), year].join(mark),
    [two(day), two(month), short].join(mark),
  ];
  return styles[dateStyle] ?? date;
}

/** Returns an invented document number in the writer's format. */
export function printedNumber(date: string, style: number, title: string, draw: Draw): string {
  const year = date.slice(0, 4);
  const initials = title
    .normalize('NFD')
    .replace(/[^A-Za-z]/g, '')
    .slice(0, 2)
    .toUpperCase();
  // "NO" would be read as the word for "number".
  const letters = /^N?[A-MO-Z]+$/.test(initials) && initials !== 'NO' ? initials : 'A';
  const running = draw.whole(11, 9899);
  const padded = String(running).padStart(4, '0');
  const styles = [
    `${year}-${padded}`,
    `${letters}-${year}-${padded}`,
    String(10_000 + running),
    `${letters}${year.slice(2)}/${padded}`,
    `A-${padded}`,
    `00${padded}`,
    `${letters}${year}${padded.slice(1)}`,
    `${year.slice(2)}-${padded}`,
    String(draw.whole(100_000, 999_999)),
    `${year}/${running}`,
    `${draw.digits(4)}-${draw.digits(3)}-${draw.digits(4)}`,
    `${letters}${draw.digits(7)}`,
  ];
  return styles[style] ?? padded;
}

/** Returns an amount in hundredths as the writer prints it in the country. */
export function money(cents: number, locale: Locale, writer: Writer, signed: boolean): string {
  const [thousands, decimal] = locale.separators[writer.signStyle % locale.separators.length] ?? [',', '.'];
  const whole = String(Math.trunc(Math.abs(cents) / 100)).replace(/\B(?=(?:\d{3})+$)/g, thousands);
  const figure = `${whole}${decimal}${two(Math.abs(cents) % 100)}`;
  const minus = cents < 0 ? '-' : '';
  if (!signed) return `${minus}${figure}`;
  const sign = signOf(locale, writer);
  if (!locale.signFirst) return `${minus}${figure} ${sign}`;
  return /^[A-Z]{3}$/.test(sign)
    ? `${sign} ${minus}${figure}`
    : `${minus}${sign}${writer.signStyle === 3 ? ' ' : ''}${figure}`;
}

export const signOf = ({ signs }: Locale, { signStyle }: Writer): string =>
  signs[signStyle % signs.length] ?? '';
