import { isISO4217CurrencyCode } from 'class-validator';

/** Whether a text is a current ISO 4217 code in capitals. */
export function isCurrencyCode(text: string): boolean {
  return text === text.toUpperCase() && isISO4217CurrencyCode(text);
}
