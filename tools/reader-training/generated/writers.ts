import { Draw, seedOf } from './draw';
import type { Locale } from './locales';
import { WORDINGS, type Language } from './wordings/languages';
import type { Wording } from './wordings/wording';

/** The number of writers: programs and people with their own words, marks and formats. */
export const WRITERS = 32;

export const FONTS = ['Heebo', 'Frank Ruhl Libre', 'Cousine', 'Lora', 'Rubik', 'Open Sans'] as const;
export type Font = (typeof FONTS)[number];

/** The habits of one writer, the same in every document and language. */
export class Writer {
  readonly font: Font;
  /** Put between a label and its value. */
  readonly colon: string;
  readonly capitals: boolean;
  readonly spacedName: boolean;
  readonly lines: boolean;
  readonly dateStyle: number;
  readonly numberStyle: number;
  readonly taxIdStyle: number;
  /** Which amounts have a sign: none, the totals, or all. */
  readonly signs: 'none' | 'totals' | 'all';
  readonly signStyle: number;
  readonly labelFirst: boolean;
  readonly columns: 2 | 3 | 4 | 5;
  readonly slogan: boolean;

  constructor(
    readonly index: number,
    readonly language: Language,
  ) {
    const draw = new Draw(seedOf(`writer ${index}`));
    this.font = draw.one(FONTS);
    this.colon = draw.one([':', ':', ': ', '', ' ', ' :']);
    this.capitals = draw.chance(0.15);
    this.spacedName = draw.chance(0.12);
    this.lines = draw.chance(0.55);
    this.dateStyle = draw.whole(0, 11);
    this.numberStyle = draw.whole(0, 11);
    this.taxIdStyle = draw.whole(0, 11);
    this.signs = draw.one(['none', 'totals', 'totals', 'all', 'all']);
    this.signStyle = draw.whole(0, 5);
    this.labelFirst = draw.chance(0.7);
    this.columns = draw.one([2, 3, 4, 4, 5]);
    this.slogan = draw.chance(0.3);
  }

  /** Returns the writer's words for a purpose; always the same in one language. */
  say(purpose: keyof Wording): string {
    const draw = new Draw(seedOf(`${this.index} ${this.language} ${purpose}`));
    const words = draw.one(WORDINGS[this.language][purpose]);
    return this.capitals ? words.toLocaleUpperCase(this.language) : words;
  }

  /** Returns what the country calls its tax number, in the writer's words. */
  taxIdLabel({ taxIdLabels }: Locale): string {
    if (!taxIdLabels) return this.say('taxId');
    return new Draw(seedOf(`${this.index} tax id`)).one(taxIdLabels);
  }

  /** Returns a label for the tax with its rate, in percent. */
  taxLabel({ taxWord }: Locale, rate: number, purpose: 'tax' | 'includedTax' = 'tax'): string {
    const said = this.say(purpose).replace('%', `${this.rate(rate)}%`);
    return taxWord ? said.replace(/VAT/i, taxWord).replace(/^Tax(?= \d)/, taxWord) : said;
  }

  rate(rate: number): string {
    const text = this.numberStyle % 3 === 0 ? rate.toFixed(2) : String(rate);
    return this.language === 'en' || this.language === 'he' ? text : text.replace('.', ',');
  }

  /** Returns the words of a label with the value after it. */
  pair(label: string, value: string): string {
    const bare = label.replace(/[\s:]+$/, '');
    const colon = /[.#°º']$/.test(bare) ? '' : this.colon.trimEnd();
    return `${bare}${colon} ${value}`;
  }
}
