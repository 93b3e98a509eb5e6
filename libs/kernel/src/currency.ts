import { isISO4217CurrencyCode } from 'class-validator';

/** Whether a text is a currency of ISO 4217 as it stands today, in capitals. */
export function isCurrencyCode(text: string): boolean {
  return text === text.toUpperCase() && isISO4217CurrencyCode(text);
}
