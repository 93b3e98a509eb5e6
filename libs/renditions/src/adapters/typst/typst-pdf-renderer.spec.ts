import { DOCUMENT_TYPES } from '@counterfoil/documents';
import fc from 'fast-check';
import sharp from 'sharp';
import { ENGLISH, HEBREW } from '../../application/ports/document-page-labels';
import type { PrintableDocument, PrintableItem } from '../../application/ports/printable-document';
import { aPrintableDocument } from '../../testing/a-printable-document';
import { type ReadPdf, readPdfs } from '../../testing/read-pdfs';
import { TypstPdfRenderer } from './typst-pdf-renderer';

const PAGE_WIDTH = 595.3;
const MARGIN = 42.5;
const MONEY_MAX = 999_999_999_999.99;

const renderer = new TypstPdfRenderer();

function anItem(overrides: Partial<PrintableItem> = {}): PrintableItem {
  return {
    description: 'Shelf',
    quantity: 1,
    unitPrice: 10,
    discountPercent: 0,
    vatRate: 18,
    lineTotal: 10,
    ...overrides,
  };
}

const HOSTILE =
  '#import "x"; $x$ *bold* _it_ <label> @ref `raw` // c /* d */ = H #panic() \\u{41} https://x.example';

const E_INVOICE = '<Invoice>שלום</Invoice>';

const HEBREW_DOCUMENT = aPrintableDocument({
  language: 'he',
  issuer: {
    name: 'נגריית הארז',
    legalName: 'נגריית הארז בע״מ',
    addressLines: ['רחוב הנמל 12'],
    bankAccounts: [{ label: 'בנק לאומי', value: '12-345678/90' }],
    footer: 'תודה על הקנייה',
  },
  recipient: {
    name: 'ספרי הפנס הכחול',
    taxId: '520000472',
    addressLines: ['סמטת הזית 7'],
  },
  items: [anItem({ description: 'מדף אלון רחב', quantity: 1_234.5678, lineTotal: 12_345.68 })],
  notes: 'נא לשלם עד 22/12/2026\nPlease quote PO-7781',
});

const DOCUMENTS = {
  english: aPrintableDocument({
    issuer: { addressLines: ['12 Harbour Street', 'Haifa 3303112'] },
    period: { from: '2026-11-01', until: '2026-11-30' },
    payments: [
      { method: 'BANK_TRANSFER', amount: 1_000, date: '2026-11-23', note: null },
      { method: 'OTHER', amount: 448, date: '2026-11-24', note: 'Tax withheld at source' },
    ],
    settles: [{ type: 'QUOTE', number: 17, amount: 1_448 }],
    notes: 'First note.\nSecond note.',
  }),
  hebrew: HEBREW_DOCUMENT,
  hostile: aPrintableDocument({
    externalId: HOSTILE,
    issuer: { name: HOSTILE, footer: HOSTILE },
    recipient: { name: HOSTILE, taxId: null, addressLines: [HOSTILE] },
    items: [anItem({ description: HOSTILE })],
    notes: HOSTILE,
  }),
  unprintable: aPrintableDocument({ notes: 'A\u0000B \u202eC\u2066 \ud800 中 😀 Привет' }),
  longWords: aPrintableDocument({
    externalId: 'r'.repeat(64),
    issuer: {
      name: 'W'.repeat(500),
      footer: 'f'.repeat(500),
      bankAccounts: [{ label: 'l'.repeat(100), value: 'v'.repeat(500) }],
    },
    recipient: {
      name: 'ש'.repeat(500),
      taxId: 't'.repeat(99),
      addressLines: ['א'.repeat(500)],
    },
    items: [anItem({ description: 'D'.repeat(500) }), anItem({ description: 'ם'.repeat(500) })],
    notes: 'n'.repeat(2_000),
  }),
  extreme: aPrintableDocument({
    number: Number.MAX_SAFE_INTEGER,
    items: [
      anItem({
        description: 'Extreme',
        quantity: -9_999_999_999.9999,
        unitPrice: 9_999_999_999.9999,
        discountPercent: 99.9999,
        vatRate: 99.9999,
        lineTotal: -MONEY_MAX,
      }),
    ],
    vatByRate: [{ rate: 99.9999, base: -MONEY_MAX, tax: -MONEY_MAX }],
    amount: -MONEY_MAX,
    tax: -MONEY_MAX,
    rounding: -0.5,
    totalWithTax: -MONEY_MAX,
  }),
  long: aPrintableDocument({
    items: Array.from({ length: 360 }, (_, index) =>
      anItem({ description: `Item ${index + 1}\n.\n.\n.\n.\n.` }),
    ),
  }),
  order: aPrintableDocument({ type: 'ORDER', withheld: { rate: 5, base: 'with_vat', amount: 72.4 } }),
  attached: aPrintableDocument({ eInvoice: Buffer.from(E_INVOICE) }),
  copy: aPrintableDocument({ stamp: 'copy' }),
  cancelled: aPrintableDocument({
    type: 'RECEIPT',
    cancellation: { reason: 'Wrong client' },
    items: [],
    payments: [{ method: 'CASH', amount: 1_448, date: '2026-11-22', note: null }],
    settles: [{ type: 'TAX_INVOICE', number: 9, amount: 1_448 }],
  }),
  preview: aPrintableDocument({
    number: null,
    stamp: 'preview',
    allocationNumber: null,
    allocationNumberPending: true,
  }),
} satisfies Record<string, PrintableDocument>;

const TYPES = DOCUMENT_TYPES.flatMap((type) => [
  { type, labels: ENGLISH, document: aPrintableDocument({ type }) },
  { type, labels: HEBREW, document: { ...HEBREW_DOCUMENT, type } },
]);

type Name = keyof typeof DOCUMENTS;
const names = Object.keys(DOCUMENTS) as Name[];
let pdfs: ReadonlyMap<Name, Uint8Array>;
let read: ReadonlyMap<Name, ReadPdf>;
let readTypes: readonly ReadPdf[];

beforeAll(async () => {
  const rendered: Uint8Array[] = [];
  for (const document of [...Object.values(DOCUMENTS), ...TYPES.map(({ document }) => document)])
    rendered.push((await renderer.render(document)).pdf);
  const all = readPdfs(rendered);
  pdfs = new Map(names.map((name, index) => [name, rendered[index] ?? new Uint8Array()]));
  read = new Map(names.flatMap((name, index) => (all[index] ? [[name, all[index]]] : [])));
  readTypes = all.slice(names.length);
});

function pagesOf(name: Name): string[] {
  return (read.get(name)?.pages ?? []).map(({ text }) => text);
}

function textOf(name: Name): string {
  return pagesOf(name).join('\n');
}

/** The text without its line breaks, where it may have been broken. */
function unbroken(name: Name): string {
  return textOf(name).replaceAll(/[\n\u200b ]/g, '');
}

describe('a document as PDF', () => {
  it.each([
    ['Cedar Workshop\nCedar Workshop Ltd\n12 Harbour Street\nHaifa 3303112', 'issuer'],
    ['billing@cedar.example\nhttps://cedar.example\nTax ID 514123456', 'contacts'],
    ['Phone +972-4-555-0142\n', 'phone'],
    ['Tax invoice no. 1042 Original', 'title'],
    ['Blue Lantern Books\n7 Olive Lane\nTel Aviv 6436101', 'recipient'],
    ['Date 2026-11-22\nDue 2026-12-22\nPeriod 2026-11-01 – 2026-11-30\nReference PO-7781', 'details'],
    ['Allocation number 123456789', 'allocation number'],
    ['Oak shelf, 90 cm 4 312.50 10% 18% 1,125.00\nDelivery 1.5 80.0125 0% 0% 120.02', 'items'],
    ['Rate Before VAT VAT\n18% 1,125.00 202.50\n0% 120.02 0.00', 'VAT by rate'],
    [
      'Total before VAT 1,245.02 ILS\nVAT 202.50 ILS\nRounding 0.48 ILS\nTotal including VAT 1,448.00 ILS',
      'totals',
    ],
    ['Method Date Amount (ILS)\nBank transfer 2026-11-23 1,000.00\nOther', 'payments'],
    ['Tax withheld at source', 'the note of a payment'],
    ['Replaces\nDocument Amount (ILS)\nQuote no. 17 1,448.00', 'settled documents'],
    ['Notes\nFirst note.\nSecond note.', 'notes'],
    ['Bank Leumi, branch 800 IL62 0108 0000 0009 9999 999', 'bank account'],
    ['Page 1 of 1\nThank you for your business.', 'footer'],
  ])('shows %j (%s)', (text) => {
    expect(textOf('english')).toContain(text);
  });

  it.each([
    'נגריית הארז\nנגריית הארז בע״מ\nרחוב הנמל 12',
    'חשבונית מס מס׳ 1042 מקור',
    'ספרי הפנס הכחול\nסמטת הזית 7',
    'תאריך 22/11/2026\nלתשלום עד 22/12/2026\nסימוכין PO-7781\nמספר הקצאה 123456789',
    'מדף אלון רחב 1,234.5678 10.00 18% 12,345.68',
    'סה״כ לפני מע״מ 1,245.02 ILS\nמע״מ 202.50 ILS\nעיגול 0.48 ILS\nסה״כ כולל מע״מ 1,448.00 ILS',
    'הערות\nנא לשלם עד 22/12/2026\nPlease quote PO-7781',
    'בנק לאומי 12-345678/90',
    'עמוד 1 מתוך 1\nתודה על הקנייה',
  ])('shows the Hebrew %j in the order in which it is read', (text) => {
    expect(textOf('hebrew')).toContain(text);
  });

  it('shows what is withheld from the total, and the rest', () => {
    expect(textOf('order')).toContain(
      'VAT 1,448.00 ILS\nTax to be withheld (5%) 72.40 ILS\nTo be paid after withholding 1,375.60 ILS',
    );
  });

  it('shows the title of each type in both languages', () => {
    for (const [index, { type, labels }] of TYPES.entries()) {
      const { title, language, pages } = readTypes[index] ?? { pages: [] };
      expect(title).toBe(`${labels.types[type]} ${labels.number} 1042`);
      expect(language).toBe(labels.lang);
      expect(pages[0]?.text).toContain(`${title} ${labels.original}`);
    }
  });

  it('is a tagged PDF/A-3a with the date of the document', () => {
    const { metadata = '', tagged, createdAt } = read.get('english') ?? {};
    expect(metadata).toContain('<pdfaid:part>3</pdfaid:part><pdfaid:conformance>A</pdfaid:conformance>');
    expect(tagged).toBe(true);
    expect(createdAt).toBe('D:20261122093000Z');
  });

  it('embeds the fonts of the service, and no other', () => {
    for (const pdf of pdfs.values()) {
      const fonts =
        Buffer.from(pdf)
          .toString('latin1')
          .match(/\/BaseFont \/\S+/g) ?? [];
      expect(fonts.length).toBeGreaterThan(0);
      for (const font of fonts)
        expect(font).toMatch(/^\/BaseFont \/[A-Z]{6}\+NotoSans(Hebrew|Arabic)?-(Regular|Bold)$/);
    }
  });

  it('has the same bytes after other documents, and from another compiler', async () => {
    const { pdf: again } = await renderer.render(DOCUMENTS.hebrew);
    const { pdf: elsewhere } = await new TypstPdfRenderer().render(DOCUMENTS.hebrew);
    expect(Buffer.compare(again, pdfs.get('hebrew') ?? again.subarray(1))).toBe(0);
    expect(Buffer.compare(elsewhere, again)).toBe(0);
  });
});

describe('texts of strangers in a PDF', () => {
  it('shows markup as text, wherever it is', () => {
    const found = unbroken('hostile').split(HOSTILE.replaceAll(' ', '')).length - 1;
    expect(found).toBe(7);
  });

  it('leaves out control characters, and replaces what no font has', () => {
    expect(textOf('unprintable')).toContain('AB C \ufffd \ufffd \ufffd Привет');
  });

  it('renders any characters', async () => {
    const texts = fc.sample(fc.string({ unit: 'binary', maxLength: 40 }), { numRuns: 60, seed: 1 });
    const items = texts.map((description) => anItem({ description }));
    const { pdf } = await renderer.render(aPrintableDocument({ items }));
    expect(pdf).toBeInstanceOf(Uint8Array);
  });

  it('breaks long words instead of letting them leave the page', () => {
    for (const name of ['longWords', 'extreme', 'hostile'] as const)
      for (const { left, right } of read.get(name)?.pages ?? []) {
        expect(left).toBeGreaterThan(MARGIN - 1);
        expect(right).toBeLessThan(PAGE_WIDTH - MARGIN + 1);
      }
    expect(unbroken('longWords')).toContain('D'.repeat(500));
  });

  it('leaves words whole that fit', () => {
    expect(textOf('english')).not.toContain('\u200b');
  });

  it('shows the largest amounts on one line', () => {
    expect(textOf('extreme')).toContain(
      'Extreme -9,999,999,999.9999 9,999,999,999.9999 99.9999% 99.9999% -999,999,999,999.99',
    );
    expect(textOf('extreme')).toContain('Total including VAT -999,999,999,999.99 ILS');
  });
});

describe('a PDF of many pages', () => {
  it('repeats the head of the table, and carries the sum of the lines forward', () => {
    const pages = pagesOf('long');
    expect(pages.length).toBeGreaterThan(39);
    for (const [index, text] of pages.slice(1, -1).entries()) {
      const before = Number(/^Item (\d+)/m.exec(text)?.[1]) - 1;
      const sum = (before * 10).toLocaleString('en-US', { minimumFractionDigits: 2 });
      expect(text).toMatch(/^Cedar Workshop Phone \S.* Haifa/);
      expect(text).toContain(`\nTax invoice no. 1042 Tax ID 514123456 Carried forward: ${sum} ILS`);
      expect(text).toContain('Description Quantity Unit price (ILS)');
      expect(text).toContain(`Page ${index + 2} of ${pages.length}`);
    }
  });

  it('shows each item once', () => {
    const shown = [...textOf('long').matchAll(/^Item (\d+)/gm)].map(([, number]) => Number(number));
    expect(shown).toEqual(Array.from({ length: 360 }, (_, index) => index + 1));
  });
});

describe('the e-invoice of a PDF', () => {
  it('is attached once, as another form of the pages', () => {
    expect(read.get('attached')?.attachments).toEqual([
      { name: 'invoice.xml', description: 'Tax invoice no. 1042', text: E_INVOICE },
    ]);
    const text = Buffer.from(pdfs.get('attached') ?? []).toString('latin1');
    expect(text.match(/\/AFRelationship \/Alternative/g)).toHaveLength(1);
    expect(text).toContain('/Subtype /application#2Fxml');
    expect(read.get('attached')?.metadata).toContain('<pdfaid:part>3</pdfaid:part>');
  });

  it('is not attached to the next document', async () => {
    const [next] = readPdfs([(await renderer.render(DOCUMENTS.copy)).pdf]);
    expect(next?.attachments).toEqual([]);
  });

  it('changes nothing on the pages', () => {
    const [other] = readPdfs([pdfs.get('attached') ?? new Uint8Array()]);
    expect(other?.pages.map(({ text }) => text)).toEqual(
      pagesOf('copy').map((text) => text.replace('Copy', 'Original')),
    );
  });

  it('has the same bytes each time', async () => {
    const { pdf: again } = await new TypstPdfRenderer().render(DOCUMENTS.attached);
    expect(Buffer.compare(again, pdfs.get('attached') ?? again.subarray(1))).toBe(0);
  });
});

describe('the marks of a PDF', () => {
  it('says that it is a copy', () => {
    expect(textOf('copy')).toContain('Tax invoice no. 1042 Copy');
    expect(textOf('copy')).not.toContain('Original');
  });

  it('stamps a cancelled document', () => {
    expect(textOf('cancelled')).toContain('Cancelled\nReason: Wrong client');
    expect(textOf('cancelled')).toContain('CANCELLED');
    expect(textOf('cancelled')).toContain('Pays\nDocument Amount (ILS)\nTax invoice no. 9 1,448.00');
    expect(textOf('english')).not.toContain('CANCELLED');
  });

  it('marks a preview, which has no number and is neither an original nor a copy', () => {
    const text = textOf('preview');
    expect(text).toContain('Preview: not issued, no number\nTax invoice\n');
    expect(text).toContain('PREVIEW');
    expect(text).toContain('Allocation number requested from the tax authority');
    expect(text).not.toMatch(/Original|Copy/);
  });
});

describe('a logo in a PDF', () => {
  const canvas = sharp({ create: { width: 40, height: 20, channels: 3, background: '#0b6e4f' } });

  it.each(['png', 'jpeg'] as const)('is shown if it is a %s', async (format) => {
    const logo = {
      bytes: await canvas.clone().toFormat(format).toBuffer(),
      mediaType: `image/${format}`,
    } as const;
    const { pdf, isLogoLeftOut } = await renderer.render(aPrintableDocument({ issuer: { logo } }));
    expect(Buffer.from(pdf).toString('latin1')).toMatch(/\/Subtype \/Image/);
    expect(isLogoLeftOut).toBe(false);
  });

  it.each(['', 'not an image'])('that is no image (%j) is left out', async (text) => {
    const logo = { bytes: Buffer.from(text), mediaType: 'image/png' } as const;
    const { pdf: without } = await renderer.render(aPrintableDocument());
    const rendered = await renderer.render(aPrintableDocument({ issuer: { logo } }));
    expect(Buffer.compare(rendered.pdf, without)).toBe(0);
    expect(rendered.isLogoLeftOut).toBe(true);
  });

  it('that ends in the middle keeps no document from its recipient', async () => {
    const whole = await canvas.clone().png().toBuffer();
    const logo = { bytes: whole.subarray(0, whole.length / 2), mediaType: 'image/png' } as const;
    const rendered = await renderer.render(aPrintableDocument({ issuer: { logo } }));
    expect(rendered).toEqual({ pdf: expect.any(Uint8Array), isLogoLeftOut: true });
  });
});
