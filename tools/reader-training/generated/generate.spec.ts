import { isIsraeli, taxIdForm } from '../../../libs/receipt-reader/src/fields/tax-ids';
import { readDocument } from '../../../libs/receipt-reader/src/read-document';
import { customerOf, vendorOf, VENDORS } from './businesses';
import { Draw, seedOf } from './draw';
import { FAMILIES, familiesOf, GROUPS } from './families/all-families';
import { factsOf } from './facts';
import { generate } from './generate';
import { LOCALES } from './locales';
import { LANGUAGES, WORDINGS, type Language } from './wordings/languages';
import { lessonOfGenerated } from './lessons-of-generated';
import { printedTaxNumber, taxNumber } from './tax-numbers';
import { Writer, WRITERS } from './writers';

const languages = LANGUAGES.map(({ language }) => language);

describe('a generated document', () => {
  it('is the same for the same number', async () => {
    const [one, other] = [await generate(3), await generate(3)];
    expect(one.truth).toEqual(other.truth);
    expect(one.family).toBe(other.family);
  });

  it('shares family, vendor and writer with no document of another group', () => {
    const groups = Array.from({ length: GROUPS }, (_, group) => familiesOf(group).map(({ name }) => name));
    expect(groups.flat().sort()).toEqual(FAMILIES.map(({ name }) => name).sort());
    expect(groups.every((names) => names.length >= 4)).toBe(true);
  });

  it('prints what it states', async () => {
    const document = await generate(await firstOfForm('text'));
    const options = { declaredKind: document.extension, today: '2026-12-31' } as const;
    const { pages, reading } = await readDocument(document.bytes, options);
    const text = pages.flatMap(({ spans }) => spans.map((span) => span.text)).join(' ');
    expect(reading.source).toBe('text');
    expect(text).toContain(document.truth['documentNumber']);
  });

  it('is left out of the training with its group', async () => {
    const { bytes, ...document } = await generate(2);
    expect(bytes.length).toBeGreaterThan(0);
    const lesson = lessonOfGenerated({ ...document, pages: [], source: 'pdf-text' });
    expect(lesson.fold).toBe('group 2');
  });
});

async function firstOfForm(form: string): Promise<number> {
  for (let number = 0; ; number++) if ((await generate(number)).form === form) return number;
}

describe('the content', () => {
  it('adds up', () => {
    for (let seed = 0; seed < 300; seed++) {
      const draw = new Draw(seedOf(`spec ${seed}`));
      const language = draw.one(languages);
      const kind = draw.one(['invoice', 'receipt', 'credit'] as const);
      const facts = factsOf(kind, new Writer(seed % WRITERS, language), vendorOf(language, seed % 20), draw);
      expect(facts.total).toBe(facts.net + facts.tax + facts.tip + facts.rounding);
      const items =
        facts.items.reduce((sum, { amount }) => sum + amount, 0) - facts.discount + facts.shipping;
      expect(items).toBe(facts.taxIncluded ? facts.net + facts.tax : facts.net);
      if (facts.cash > 0) expect(facts.cash).toBeGreaterThanOrEqual(facts.total);
    }
  });

  it('has more than two hundred vendors with different names', () => {
    const names = languages.flatMap((language) =>
      Array.from({ length: VENDORS[language] }, (_, index) => vendorOf(language, index).name),
    );
    expect(new Set(names).size).toBe(names.length);
    expect(names.length).toBeGreaterThan(200);
  });

  it('has tax numbers with valid check digits, however they are printed', () => {
    const draw = new Draw(1);
    for (const country of ['DE', 'AT', 'FR', 'BE', 'NL', 'ES', 'GB', 'AU'] as const) {
      const number = taxNumber(country, draw);
      for (let style = 0; style < 6; style++) {
        expect(taxIdForm(printedTaxNumber(country, number, style))?.valid).toBe(true);
      }
    }
    expect(isIsraeli(taxNumber('IL', draw))).toBe(true);
  });

  it('has a customer that is not the vendor', () => {
    const [locale] = LOCALES.en;
    if (!locale) throw new Error('no locale');
    const names = Array.from({ length: VENDORS.en }, (_, index) => vendorOf('en', index).name);
    const customer = customerOf('en', locale, new Draw(9));
    expect(names).not.toContain(customer.name);
  });
});

describe('the words', () => {
  it.each(languages)('of %s have alternatives for every purpose', (language: Language) => {
    for (const words of Object.values(WORDINGS[language])) {
      expect(words.length).toBeGreaterThan(1);
      expect(new Set(words).size).toBeGreaterThan(1);
    }
  });
});
