import { CURRENCY_SIGNS } from './currency-signs';
import type { Parties } from './parties';
import type { Cell } from './rows';
import type { Line } from './sheet';
import { countOf, hebrewWords } from './text';

/**
 * Currencies whose sign has another meaning elsewhere: a foot, the yuan, the rupee of Pakistan. The text must also have
 * one of these words.
 */
const EVIDENCE: Readonly<Record<string, RegExp>> = {
  HUF: /(?<!\p{L})(?:HUF|Hungary|Magyar\p{L}*|Budapest|Kft|Zrt|Nyrt|ÁFA|áfa|Adószám|Számla|Nyugta|Összesen|Fizetend[őö])(?!\p{L})|\bHU\d{8}\b/iu,
  JPY: /(?<!\p{L})(?:JPY|Japan|Tokyo|Osaka|Kyoto)(?!\p{L})|[円〒\u3040-\u30ff]|消費税|税込|税抜/iu,
  INR: /₹|(?<!\p{L})(?:INR|India|GSTIN|[CSI]GST|Mumbai|Delhi|Bengaluru|Bangalore|Chennai|Kolkata|Pune)(?!\p{L})/iu,
};
const CHINA = /(?<!\p{L})(?:China|CNY|RMB|Shenzhen|Shanghai|Beijing|Guangzhou)(?!\p{L})|元/iu;

/** Currency codes that are also words in some language. They count only beside a number. */
const BESIDE_NUMBER = new Set(['TRY', 'RON', 'HUF', 'INR', 'IDR', 'AED', 'BRL', 'PHP', 'CNY']);

/** Signs of a country whose currency is also written "$". */
const DOLLAR_COUNTRIES: readonly (readonly [string, RegExp])[] = [
  ['AUD', /\bAustralia\b|\bABN\b|\b(?:NSW|QLD|VIC)\s+\d{4}\b/i],
  ['SGD', /\bSingapore\b|\bPte\.? Ltd\b/i],
  ['NZD', /\bNew Zealand\b|\bNZBN\b/i],
  ['MXN', /\bR\.?F\.?C\.?\b|\bM[ée]xico\b(?!,? (?:MO|NY))/],
  ['CAD', /\bCanada\b|\b(?:HST|PST|QST|TVQ|TPS)\b|\bQu[ée]bec\b|\bOntario\b|\bBritish Columbia\b/],
  ['CAD', /(?<!\p{L})(?:ON|QC|BC|AB|MB|SK|NS|NB|NL|PE|YT|NT|NU),? {1,2}[A-Z]\d[A-Z] ?\d[A-Z]\d\b/u],
  ['MYR', /\bSdn\.? ?Bhd\b|\bMalaysia\b|\bSelangor\b|\bJohor\b|\bKuala Lumpur\b/i],
  ['HKD', /\bHong Kong\b/i],
];

/** Evidence that the dollars are US dollars. */
const UNITED_STATES =
  /\bU\.?S\.?A?\b|\bUnited States\b|\b(?:AL|AK|AZ|AR|CA|CO|CT|DE|FL|GA|HI|ID|IL|IN|IA|KS|KY|LA|ME|MD|MA|MI|MN|MS|MO|MT|NE|NV|NH|NJ|NM|NY|NC|ND|OH|OK|OR|PA|RI|SC|SD|TN|TX|UT|VT|VA|WA|WV|WI|WY|DC),? +\d{5}\b|\bSales tax\b|\bLLC\b/i;

/** "RM 412" may be a room. Ringgit amounts have decimals, or stand beside a word for a total. */
const WHOLE_RINGGIT = /(?<![A-Za-z])RM\s?\d+(?![\d.,]|\s[.,]?\d)/g;

interface Votes {
  readonly currency: string;
  readonly weight: number;
}

const NEAR_NUMBER_WEIGHT = 3;
const TOTAL_WEIGHT = 6;

function votesOf(row: Line, isTotal: boolean): Votes[] {
  const told = isTotal ? row.text : row.text.replace(WHOLE_RINGGIT, ' ');
  const text = told.replace(/([A-Z]{2})(\d)/g, '$1 $2').replace(/(\d)([A-Za-z]{2,3}\b)/g, '$1 $2');
  const beside = /\d/.test(text);
  return CURRENCY_SIGNS.filter(
    ([currency, pattern]) => pattern.test(text) && (beside || !BESIDE_NUMBER.has(currency)),
  ).map(([currency]) => ({
    currency,
    weight: isTotal ? TOTAL_WEIGHT : beside ? NEAR_NUMBER_WEIGHT : 1,
  }));
}

/** Returns the text of the document without the blocks that describe the customer. */
function ownText(lines: readonly Line[], parties: Parties): string {
  return lines
    .map((line) =>
      line.cells
        .filter((cell) => !isOfCustomer(line, cell, parties))
        .map((cell) => cell.text)
        .join('  '),
    )
    .join('\n');
}

const isOfCustomer = (line: Line, cell: Cell, parties: Parties): boolean =>
  parties.at(line, cell.start) === 'customer' ||
  parties.at(line, cell.start + cell.text.length - 1) === 'customer';

const UNSURE = 0.5;

/**
 * Returns the dollar of the country that the text points to. Without evidence it returns the US dollar as a
 * guess.
 */
function dollarOf(text: string): FoundCurrency {
  const elsewhere = DOLLAR_COUNTRIES.find(([, pattern]) => pattern.test(text))?.[0];
  if (elsewhere !== undefined) return { currency: elsewhere, confidence: 1 };
  return { currency: 'USD', confidence: UNITED_STATES.test(text) ? 1 : UNSURE };
}

export interface FoundCurrency {
  readonly currency: string;
  readonly confidence: number;
}

/** The currencies that a sheet names: for one row, and for most of the rows. */
export class Currencies {
  private readonly dollar: FoundCurrency;
  private readonly text: string;
  private readonly own: string;
  private readonly isOfChina: boolean;

  constructor(
    private readonly lines: readonly Line[],
    parties: Parties,
  ) {
    this.text = lines.map((line) => line.text).join('\n');
    this.own = ownText(lines, parties);
    this.dollar = dollarOf(this.own);
    this.isOfChina = CHINA.test(this.own) && !EVIDENCE['JPY']!.test(this.own);
  }

  /** Returns the currency that the row names, or undefined if it names none or several. */
  currencyOf(line: Line): string | undefined {
    const named = [...new Set(this.votes(line, true).map(({ currency }) => currency))];
    return named.length === 1 ? named[0] : undefined;
  }

  /**
   * Returns the currency whose signs are closest to the amounts. Without any sign it is the currency of the
   * seller's country, if the document shows the country: a page in Hebrew defaults to shekels.
   */
  find(totals: ReadonlySet<Line>): FoundCurrency | undefined {
    const weights = new Map<string, number>();
    for (const line of this.lines) {
      for (const { currency, weight } of this.votes(line, totals.has(line)))
        weights.set(currency, (weights.get(currency) ?? 0) + weight);
    }
    const ranked = [...weights].sort((one, other) => other[1] - one[1]);
    const best = ranked[0];
    if (best) {
      const all = ranked.reduce((sum, [, weight]) => sum + weight, 0);
      const sure = Math.min(0.5 + best[1] / all / 2, 0.99);
      return { currency: best[0], confidence: this.isGuessed(best[0]) ? Math.min(sure, UNSURE) : sure };
    }
    return isHebrew(this.text) ? { currency: 'ILS', confidence: 0.8 } : currencyOfCountry(this.own);
  }

  private isGuessed(currency: string): boolean {
    if (EVIDENCE[currency]?.test(this.own) === false) return true;
    if (currency !== this.dollar.currency || this.dollar.confidence === 1) return false;
    const pattern = CURRENCY_SIGNS.find(([name]) => name === currency)?.[1];
    return pattern?.test(this.text) !== true;
  }

  private votes(line: Line, isTotal: boolean): Votes[] {
    const votes = votesOf(line, isTotal).map((vote) =>
      vote.currency === 'JPY' && this.isOfChina ? { ...vote, currency: 'CNY' } : vote,
    );
    if (votes.length > 0 || !line.text.includes('$')) return votes;
    return [{ currency: this.dollar.currency, weight: isTotal ? TOTAL_WEIGHT : NEAR_NUMBER_WEIGHT }];
  }
}

/** Tax numbers and words by the currency of the countries that use them. */
const COUNTRY_EVIDENCE: readonly (readonly [string, RegExp])[] = [
  ['CHF', /\bCHE-?\d{3}/],
  ['GBP', /\bGB ?\d{3} ?\d{4} ?\d{2}\b/],
  ['EUR', /\b(?:DE|ATU|NL|BE|FR|IT|IE|ES|PT|FI|LU) ?[A-Z\d]{0,2}(?:[ .]?\d){7,}/],
  ['EUR', /(?<!\p{L})(?:USt|Umsatzsteuer|BTW|P\. ?IVA|Partita IVA|NIF|CIF|SIRET|SIREN)(?!\p{L})/iu],
  ['AUD', /\bA\.?B\.?N\b/],
];

/** Returns the currency of the seller's country, if its tax number or the word for its tax shows the country. */
function currencyOfCountry(text: string): FoundCurrency | undefined {
  const currency = COUNTRY_EVIDENCE.find(([, pattern]) => pattern.test(text))?.[0];
  return currency === undefined ? undefined : { currency, confidence: 0.7 };
}

const isHebrew = (text: string): boolean =>
  hebrewWords(text) >= 5 && countOf(text, /[\u05d0-\u05ea]/g) * 2 > countOf(text, /[A-Za-z]/g);
