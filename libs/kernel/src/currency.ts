import { isISO4217CurrencyCode } from 'class-validator';

/** Codes since 2024 that the table of class-validator lacks: Arab accounting dinar, Caribbean guilder, Zimbabwe gold. */
const RECENT = new Set(['XAD', 'XCG', 'ZWG']);

/** Whether a text is an ISO 4217 code in capitals: a current one, or one that older documents have. */
export function isCurrencyCode(text: string): boolean {
  return RECENT.has(text) || (text === text.toUpperCase() && isISO4217CurrencyCode(text));
}
