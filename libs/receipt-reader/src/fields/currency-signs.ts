/** Currencies and their signs as printed beside an amount. */
export const CURRENCY_SIGNS: readonly (readonly [string, RegExp])[] = [
  ['MYR', /(?<![A-Za-z])(?:RM|MYR)(?![A-Za-z])/],
  ['ILS', /₪|(?<![\u05d0-\u05ea])ש["']?ח(?![\u05d0-\u05ea])|(?<![A-Za-z])(?:NIS|ILS)(?![A-Za-z])/],
  ['EUR', /€|(?<![A-Za-z])(?:EUR|Euros?|EURO)(?![A-Za-z])/],
  ['GBP', /£|(?<![A-Za-z])(?:GBP)(?![A-Za-z])/],
  ['CHF', /(?<![A-Za-z])(?:CHF|SFr\.?)(?![A-Za-z])/],
  ['PLN', /(?<!\p{L})(?:PLN|zł)(?!\p{L})/u],
  ['CZK', /(?<!\p{L})(?:CZK|Kč)(?!\p{L})/u],
  // Not feet: "6 Ft 29.90", "Ft. Lauderdale".
  ['HUF', /(?<!\p{L})(?:HUF(?!\p{L})|Ft(?!\p{L}|\.? ?\d|\. ?\p{L}))/u],
  ['RON', /(?<![A-Za-z])(?:RON|lei)(?![A-Za-z])/],
  ['SEK', /(?<![A-Za-z])SEK(?![A-Za-z])/],
  ['NOK', /(?<![A-Za-z])NOK(?![A-Za-z])/],
  ['DKK', /(?<![A-Za-z])DKK(?![A-Za-z])/],
  ['TRY', /₺|(?<![A-Za-z])(?:TRY|TL)(?![A-Za-z])/],
  ['INR', /₹|(?<![A-Za-z])(?:INR|Rs\.?)(?![A-Za-z])/],
  ['AED', /(?<![A-Za-z])(?:AED|Dhs?)(?![A-Za-z])/],
  ['SGD', /S\$|(?<![A-Za-z])SGD(?![A-Za-z])/],
  ['AUD', /(?<![A-Za-z])AU?\$|(?<![A-Za-z])AUD(?![A-Za-z])/],
  ['CAD', /(?<![A-Za-z])CA?\$|(?<![A-Za-z])CAD(?![A-Za-z])/],
  ['NZD', /NZ\$|(?<![A-Za-z])NZD(?![A-Za-z])/],
  ['HKD', /HK\$|(?<![A-Za-z])HKD(?![A-Za-z])/],
  ['MXN', /(?<![A-Za-z])(?:MX\$|MXN(?![A-Za-z])|M\.N\.)/],
  ['BRL', /R\$|(?<![A-Za-z])BRL(?![A-Za-z])/],
  ['USD', /US\$|(?<![A-Za-z])(?:USD|US Dollars?)(?![A-Za-z])/],
  ['JPY', /(?<![A-Za-z])JPY(?![A-Za-z])|[¥円]/],
  ['CNY', /(?<![A-Za-z])(?:CNY|RMB)(?![A-Za-z])|元/],
  ['THB', /฿|(?<![A-Za-z])THB(?![A-Za-z])/],
  ['IDR', /(?<![A-Za-z])(?:IDR|Rp\.?)(?![A-Za-z])/],
  ['PHP', /₱|(?<![A-Za-z])(?:PHP)(?![A-Za-z])/],
  ['ZAR', /(?<![A-Za-z])(?:ZAR)(?![A-Za-z])/],
  ['KRW', /₩|(?<![A-Za-z])KRW(?![A-Za-z])/],
  ['UAH', /₴|(?<![A-Za-z])UAH(?![A-Za-z])/],
];

/** Returns the currency of a sign in the text, or '$' for a dollar of an unknown country. */
export function currencySign(text: string): string | undefined {
  const sign = CURRENCY_SIGNS.find(([, pattern]) => pattern.test(text))?.[0];
  return sign ?? (text.includes('$') ? '$' : undefined);
}
