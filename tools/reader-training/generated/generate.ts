import { Board } from './board';
import { vendorOf, VENDORS } from './businesses';
import { Draw, seedOf } from './draw';
import { familiesOf, GROUPS } from './families/all-families';
import type { Family, Form } from './families/family';
import { factsOf, type Facts } from './facts';
import { EXTENSIONS, fileOf } from './forms';
import { LANGUAGES, type Language } from './wordings/languages';
import { acceptedTaxNumbers } from './tax-numbers';
import { Writer, WRITERS } from './writers';

/** An invented document with its true fields. */
export interface Generated {
  readonly id: string;
  readonly bytes: Buffer;
  /** The extension of the file, as the reader names kinds. */
  readonly extension: 'pdf' | 'txt' | 'html' | 'jpeg';
  readonly form: Form;
  readonly family: string;
  readonly language: Language;
  /** Documents of different groups share neither family nor vendor nor writer. */
  readonly group: number;
  /** In the format of the scorer of the development set. */
  readonly truth: Readonly<Record<string, unknown>>;
}

function languageOf(draw: Draw): Language {
  let rest = draw.share();
  for (const { language, share } of LANGUAGES) {
    rest -= share;
    if (rest < 0) return language;
  }
  return 'en';
}

/** Returns a number below `count` of the group. */
const ofGroup = (group: number, count: number, draw: Draw): number =>
  draw.whole(0, Math.floor((count - 1 - group) / GROUPS)) * GROUPS + group;

function truthOf(facts: Facts, texts: string, negative: boolean): Record<string, unknown> {
  const { seller, locale } = facts;
  const sign = negative ? -1 : 1;
  // A code must be a word of its own: "VENDEUR" does not name the euro.
  const words = new Set(texts.match(/\p{L}+/gu));
  const hasCurrency = [...locale.signs, locale.currency].some((sign) =>
    /^\p{L}+$/u.test(sign) ? words.has(sign) : texts.includes(sign),
  );
  return {
    vendorName: [seller.name, seller.brand],
    vendorTaxId: acceptedTaxNumbers(locale.country, seller.taxId),
    documentNumber: facts.number,
    date: facts.date,
    total: (sign * facts.total) / 100,
    tax: facts.tax !== 0 ? (sign * facts.tax) / 100 : [0, null],
    ...(hasCurrency && { currency: locale.currency }),
  };
}

function drawnBoard(family: Family, facts: Facts, writer: Writer, draw: Draw): Board {
  const board = new Board(family.width, family.height, writer.font, facts.language === 'he');
  family.draw({ board, facts, writer, draw });
  return board;
}

/** Generates the document with this number. The same number always gives the same document. */
export async function generate(index: number): Promise<Generated> {
  const group = index % GROUPS;
  const draw = new Draw(seedOf(`document ${index}`));
  const language = languageOf(draw);
  const writer = new Writer(ofGroup(group, WRITERS, draw), language);
  const families = familiesOf(group);
  const family = families[Math.floor(index / GROUPS) % families.length] ?? draw.one(families);
  const vendor = vendorOf(language, ofGroup(group, VENDORS[language], draw));
  const facts = factsOf(draw.one(family.kinds), writer, vendor, draw);
  const board = drawnBoard(family, facts, writer, draw);
  const form = draw.one(family.forms);
  const texts = board.texts
    .map(({ text }) => text)
    .join(' ')
    .toLocaleUpperCase();
  const negative = facts.kind === 'credit' && writer.numberStyle % 2 === 0 && family.name !== 'web-app';
  return {
    id: `g${String(index).padStart(4, '0')}`,
    bytes: await fileOf(board, form, draw),
    extension: EXTENSIONS[form],
    form,
    family: family.name,
    language,
    group,
    truth: truthOf(facts, texts, negative),
  };
}
