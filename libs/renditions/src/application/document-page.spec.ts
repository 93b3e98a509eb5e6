import { createHash } from 'node:crypto';
import type { DocumentType, PaymentMeans } from '@counterfoil/documents';
import { markup } from '@counterfoil/kernel';
import { relativeCost } from '@counterfoil/test-harness';
import fc from 'fast-check';
import { aPrintableDocument } from '../testing/a-printable-document';
import { documentPage, type PageTop } from './document-page';
import { labelsOf } from './ports/page-parts';
import type { PrintablePage } from './ports/printable-document';

type Overrides = Parameters<typeof aPrintableDocument>[0];

/** A preview in which only what a test is about differs from an ordinary one. */
function aPreview(overrides: Overrides = {}): PrintablePage {
  return aPrintableDocument({
    ...{ type: 'TAX_INVOICE_RECEIPT', number: null, stamp: 'preview', allocationNumber: null },
    items: [anItem()],
    payments: [{ method: 'CASH', amount: 1_416, date: '2026-11-22', note: null }],
    ...{ vatByRate: [{ rate: 18, base: 1_200, tax: 216 }], amount: 1_200, tax: 216, rounding: 0 },
    ...{ totalWithTax: 1_416, notes: 'Thanks', externalId: 'order-1', dueDate: '2026-12-31' },
    ...overrides,
  });
}

const HEBREW = { language: 'he' } as const;
const ISSUED = { number: 17, stamp: 'original' } as const;

function anItem(overrides: Partial<PrintablePage['items'][number]> = {}) {
  return {
    description: 'Consulting',
    quantity: 8,
    unitPrice: 150,
    discountPercent: 0,
    vatRate: 18,
    lineTotal: 1_200,
    ...overrides,
  };
}

const pageOf = (overrides: Overrides = {}): string => documentPage(aPreview(overrides)).html;

/** A page in which the given text replaces every free text. */
function everywhere(text: string): string {
  return pageOf({
    ...{ number: 17, stamp: 'copy', issueDate: text, dueDate: text, currency: text },
    ...{ externalId: text, allocationNumber: text, notes: text },
    cancellation: { reason: text },
    issuer: {
      ...{ name: text, legalName: `${text} `, taxId: text, addressLines: [text, text], phone: text },
      ...{ email: text, website: text, bankAccounts: [{ label: text, value: text }], footer: text },
    },
    recipient: { name: text, taxId: text, addressLines: [text] },
    items: [anItem({ description: text })],
    vatByRate: [
      { rate: 18, base: 1, tax: 1 },
      { rate: 0, base: 1, tax: 0 },
    ],
    payments: [{ method: 'CASH', amount: 1, date: text, note: text }],
    settles: [{ type: 'QUOTE', number: 3, amount: null }],
    period: { from: text, until: text },
  });
}
/**
 * 8 of the issuer (without the legal name, which has a blank), 2 of its bank and its footer, 3 of the recipient, 5
 * dates, external id, allocation number, reason, description and notes, the note of a payment, and the currency in 5
 * headers and 3 totals.
 */
const TEXTS_EVERYWHERE = 32;

/** The tags in order, without attribute values. Correct because `<` and `>` occur only around tags. */
function tagsOf(page: string): string[] {
  return [...page.matchAll(/<[^>]*>/g)].map(([tag]) => tag.replace(/="[^"]*"/g, '=""'));
}

function shownTexts(page: string): string[] {
  const [, body = ''] = page.split('<body>');
  return body.split(/<[^>]*>/).map(decoded);
}

function decoded(text: string): string {
  const characters: Record<string, string> = { lt: '<', gt: '>', quot: '"', '#39': "'", amp: '&' };
  return text.replace(/&(lt|gt|quot|#39|amp);/g, (_, name: string) => characters[name] ?? '');
}

/** The visible rows of a table, cell by cell. */
function table(page: string, name: string): string[][] {
  const [, content = ''] = new RegExp(`<table class="${name}">(.*?)</table>`, 's').exec(page) ?? [];
  return [...content.matchAll(/<tr[^>]*>(.*?)<\/tr>/gs)].map(([, row = '']) =>
    [...row.matchAll(/<t[hd][^>]*>(.*?)<\/t[hd]>/gs)].map(([, cell = '']) =>
      decoded(cell.replace(/<[^>]*>/g, '')),
    ),
  );
}

const HOSTILE = [
  '<script>alert(1)</script>',
  '<img src=x onerror=alert(1)>',
  '</style><script>alert(1)</script>',
  '</title><script>alert(1)</script>',
  '</bdi></td></tr></table><h1>PAID</h1>',
  '--><script>alert(1)</script><!--',
  '" onmouseover="alert(1)',
  "' onmouseover='alert(1)",
  '"><script>alert(1)</script>',
  '`onmouseover=alert(1)`',
  '&lt;script&gt;',
  '&#60;script&#62; &amp; &',
  ']]><script>',
  '<!DOCTYPE x><?php ?>',
  '${1+1} {{1+1}}',
  '$& $` $1 $$',
];

describe('hostile text', () => {
  it.each(HOSTILE)('is shown as text in every field: %j', (text) => {
    const page = everywhere(text);
    expect(tagsOf(page)).toEqual(tagsOf(everywhere('x')));
    expect(shownTexts(page).filter((shown) => shown === text).length).toBe(TEXTS_EVERYWHERE);
    expect(page).not.toContain('<script');
  });

  it('never changes the markup', () => {
    const texts = fc.oneof(
      fc.string({ unit: 'grapheme', minLength: 1 }),
      fc.string({ minLength: 1, unit: fc.constantFrom(...'<>"\'&/=-!;#ax \n\0\u202e\u2067א') }),
      fc.constantFrom(...HOSTILE),
    );
    const skeleton = tagsOf(everywhere('x'));
    fc.assert(
      fc.property(texts, (text) => {
        expect(tagsOf(everywhere(text))).toEqual(skeleton);
      }),
      { numRuns: 2_000 },
    );
  });

  it.each([...'\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069'])(
    'cannot reorder what stands beside it with %j',
    (control) => {
      const page = everywhere(`a${control}1,000.00${control}b`);
      expect(page).not.toContain(control);
      expect(shownTexts(page)).toContain('a1,000.00b');
    },
  );

  it('is in an element with a direction of its own', () => {
    const page = everywhere('shown');
    const around = [...page.matchAll(/<([a-z]+)([^>]*)>shown</g)].map(([, tag = '', attributes = '']) => ({
      isolates: tag === 'bdi' || attributes.includes('dir="auto"'),
    }));
    expect(around.length).toBe(TEXTS_EVERYWHERE);
    expect(around.every(({ isolates }) => isolates)).toBe(true);
  });

  it('is kept if it has many lines or no place to break', () => {
    const recipient = { name: 'x'.repeat(500), taxId: null, addressLines: [] };
    const page = pageOf({ notes: 'one\ntwo\r\nthree', recipient });
    expect(shownTexts(page)).toEqual(expect.arrayContaining(['one\ntwo\r\nthree', 'x'.repeat(500)]));
  });

  it('cannot get into the style by the colour of the company', () => {
    const styleOf = (accentColor: string | null) =>
      /<style>(.*?)<\/style>/s.exec(pageOf({ issuer: { accentColor } }))?.[1];
    expect(styleOf('#1a5fb4')).toContain('--accent: #1a5fb4;');
    for (const colour of ['red; } body { display: none', '</style><script>', '#1a5fb4;', 'url(//x)'])
      expect(styleOf(colour)).toBe(styleOf(null));
  });
});

describe('language and direction', () => {
  it('is English from left to right, or Hebrew from right to left', () => {
    const english = pageOf();
    expect(english).toContain('<html lang="en" dir="ltr">');
    expect(english).not.toMatch(/\p{Script=Hebrew}/u);
    expect(english).toContain('Tax invoice and receipt');
    const hebrew = pageOf(HEBREW);
    expect(hebrew).toContain('<html lang="he" dir="rtl">');
    expect(hebrew).toContain('חשבונית מס קבלה');
    expect(hebrew).not.toContain('Tax invoice');
  });

  it('shows the words of both languages from right to left, with one line for each in the heads of columns', () => {
    const page = pageOf({ language: 'both', ...ISSUED, type: 'TAX_INVOICE', payments: [] });
    expect(page).toContain('<html lang="he" dir="rtl">');
    expect(page).toContain('<title>חשבונית מס / Tax invoice 17</title>');
    expect(page).toContain('תאריך / Date');
    expect(page).toContain('מחיר ליחידה<br>Unit price');
    expect(page).toContain('>2026-12-31<');
    const english = [...pageOf({ ...ISSUED, language: 'en' }).matchAll(/<caption[^>]*>([^<]+)</g)];
    for (const [, caption] of english)
      expect(pageOf({ ...ISSUED, language: 'both' })).toMatch(
        new RegExp(`<caption[^>]*>[^<]+ / ${caption}<`),
      );
  });

  it('names every document type in both languages', () => {
    const titleOf = (overrides: Overrides) => /<h1>(.*)<\/h1>/.exec(pageOf(overrides))?.[1];
    const expected: Record<DocumentType, readonly [string, string]> = {
      TAX_INVOICE: ['חשבונית מס', 'Tax invoice'],
      TAX_INVOICE_RECEIPT: ['חשבונית מס קבלה', 'Tax invoice and receipt'],
      RECEIPT: ['קבלה', 'Receipt'],
      REFUND: ['חשבונית זיכוי', 'Credit note'],
      RETURN: ['תעודת החזרה', 'Return note'],
      PROFORMA: ['חשבון עסקה', 'Proforma invoice'],
      QUOTE: ['הצעת מחיר', 'Quote'],
      ORDER: ['הזמנה', 'Order'],
      DELIVERY_NOTE: ['תעודת משלוח', 'Delivery note'],
    };
    for (const [name, titles] of Object.entries(expected)) {
      const type = name as DocumentType;
      expect([titleOf({ type, ...HEBREW }), titleOf({ type })]).toEqual(titles);
    }
  });

  it('names every means of payment in both languages', () => {
    const methodOf = (method: PaymentMeans, language: 'en' | 'he') => {
      const payments = [{ method, amount: 1, date: '2026-11-21', note: null }];
      return table(pageOf({ payments, language }), 'payments')[1]?.[0];
    };
    const expected: Record<PaymentMeans, readonly [string, string]> = {
      CASH: ['מזומן', 'Cash'],
      CHECK: ['המחאה', 'Check'],
      BANK_TRANSFER: ['העברה בנקאית', 'Bank transfer'],
      CREDIT_CARD: ['כרטיס אשראי', 'Credit card'],
      OTHER: ['אחר', 'Other'],
    };
    for (const [name, names] of Object.entries(expected)) {
      const method = name as PaymentMeans;
      expect([methodOf(method, 'he'), methodOf(method, 'en')]).toEqual(names);
    }
  });

  it('shows dates in the format of the language, with machine-readable values', () => {
    const shown = { issueDate: '2026-11-21' };
    expect(pageOf(shown)).toContain('<time datetime="2026-11-21"><bdi dir="ltr">2026-11-21</bdi>');
    expect(pageOf({ ...shown, ...HEBREW })).toContain(
      '<time datetime="2026-11-21"><bdi dir="ltr">21/11/2026</bdi>',
    );
  });
});

describe('the state of a document', () => {
  const watermark = (text: string) => `<p class="watermark" aria-hidden="true">${text}</p>`;
  const titleIn = (page: string) => /<title>(.*)<\/title>/.exec(page)?.[1];

  it.each([
    [{}, 'Preview: not issued, no number', 'PREVIEW'],
    [HEBREW, 'תצוגה מקדימה, לא הופק', 'תצוגה מקדימה'],
  ] as const)(
    'as a preview is on the screen, on every printed page and in the title: %j',
    (language, mark, stamp) => {
      const page = pageOf(language);
      expect(page).toContain(`<p class="mark">${mark}</p>`);
      expect(page).toContain(watermark(stamp));
      expect(titleIn(page)).toContain(mark);
      // Text below it stays legible, and can be selected.
      expect(page).toMatch(/^\.watermark \{[^}]*opacity: 0\.15;[^}]*pointer-events: none; \}/m);
      expect(page).not.toContain('display: none');
      expect(page).not.toContain('<p class="stamp">');
    },
  );

  it('is not that of a preview once it is issued, and names the original and its copies', () => {
    const page = pageOf(ISSUED);
    expect(page).not.toMatch(/preview/i);
    expect(page).not.toContain('<p class="mark">');
    expect(titleIn(page)).toBe('Tax invoice and receipt no. 17');
    expect(page).toContain('<h1>Tax invoice and receipt no. 17</h1><p class="stamp">Original</p>');
    expect(pageOf({ ...ISSUED, stamp: 'copy' })).toContain('<p class="stamp">Copy</p>');
    expect(pageOf({ ...ISSUED, ...HEBREW })).toContain(
      '<h1>חשבונית מס קבלה מס׳ 17</h1><p class="stamp">מקור</p>',
    );
  });

  it('as cancelled is on the screen with the reason, and on every printed page', () => {
    const page = pageOf({ ...ISSUED, cancellation: { reason: 'Entered <twice>' } });
    expect(page).toContain('<p class="mark">Cancelled</p>');
    expect(page).toContain('<p class="mark">Reason: <bdi>Entered &lt;twice&gt;</bdi></p>');
    expect(page).toContain(watermark('CANCELLED'));
    expect(pageOf({ ...ISSUED, cancellation: { reason: null } })).not.toContain('Reason');
  });

  it('tells that the allocation number is awaited, or what it is', () => {
    const detail = (value: string) => `<dt>Allocation number</dt><dd><bdi>${value}</bdi></dd>`;
    expect(pageOf({ allocationNumberPending: true })).toContain(detail('requested from the tax authority'));
    expect(pageOf({ allocationNumber: '123456789', allocationNumberPending: false })).toContain(
      detail('123456789'),
    );
  });
});

describe('both parties', () => {
  it('are shown with addresses, contact, bank accounts and footer of the company', () => {
    const shown = shownTexts(pageOf());
    const { issuer, recipient } = aPrintableDocument();
    for (const text of [
      ...[issuer.name, issuer.legalName, issuer.taxId, ...issuer.addressLines, issuer.phone],
      ...[issuer.email, issuer.website, issuer.footer, issuer.bankAccounts[0]!.value],
      ...[recipient.name, recipient.taxId, ...recipient.addressLines],
    ])
      expect(shown).toContain(text);
  });

  it('are shown once each: a legal name that is the name is not repeated', () => {
    const page = pageOf({ issuer: { legalName: 'Cedar Workshop' } });
    expect(shownTexts(page).filter((text) => text === 'Cedar Workshop')).toHaveLength(1);
  });

  it('have the logo of the company, in the page itself', () => {
    const logo = { bytes: Buffer.from('PNG'), mediaType: 'image/png' } as const;
    const page = pageOf({ issuer: { name: 'A "quoted" name', logo } });
    expect(page).toContain(
      '<img class="logo" alt="A &quot;quoted&quot; name" src="data:image/png;base64,UE5H">',
    );
  });
});

describe('figures', () => {
  it('have thousands separators, 2 decimals where they are money, and the currency', () => {
    const page = pageOf({
      currency: 'USD',
      items: [anItem({ quantity: 1_234.5, unitPrice: 9_999_999_999.9999, lineTotal: 999_999_999_999.99 })],
      payments: [{ method: 'CHECK', amount: 0.1, date: '2026-11-21', note: null }],
      ...{ amount: 1_234_567.8, tax: 0, totalWithTax: 1_234_567.8 },
    });
    expect(table(page, 'items')).toEqual([
      ['Description', 'Quantity', 'Unit price (USD)', 'VAT', 'Total before VAT (USD)'],
      ['Consulting', '1,234.5', '9,999,999,999.9999', '18%', '999,999,999,999.99'],
    ]);
    expect(table(page, 'totals')).toEqual([
      ['Total before VAT', '1,234,567.80 USD'],
      ['VAT 18%', '0.00 USD'],
      ['Total including VAT', '1,234,567.80 USD'],
    ]);
    expect(table(page, 'payments')).toEqual([
      ['Method', 'Date', 'Amount (USD)'],
      ['Check', '2026-11-21', '0.10'],
    ]);
  });

  it.each([
    ['en', ['Rounding', '-0.35 ILS']],
    ['he', ['עיגול', '-0.35 ILS']],
  ] as const)('show by how much the total was rounded (%s)', (language, row) => {
    const rounded = { amount: 100.3, tax: 18.05, rounding: -0.35, totalWithTax: 118, language };
    expect(table(pageOf(rounded), 'totals')[2]).toEqual(row);
    expect(table(pageOf({ language }), 'totals')).toHaveLength(3);
  });

  it.each([
    ['en', 'Tax to be withheld (7.5%)', 'To be paid after withholding'],
    ['he', 'ניכוי מס במקור (7.5%)', 'לתשלום לאחר ניכוי מס'],
  ] as const)('show below the total what is withheld from it, and the rest (%s)', (language, tax, rest) => {
    const withheld = { rate: 7.5, base: 'without_vat', amount: 90 } as const;
    const page = pageOf({ language, withheld });
    expect(table(page, 'totals').slice(3)).toEqual([
      [tax, '90.00 ILS'],
      [rest, '1,326.00 ILS'],
    ]);
    const sums = [...page.matchAll(/<tr class="sum"><th scope="row">([^<]*)/g)].map(([, label]) => label);
    expect(sums).toEqual([labelsOf(language).totalWithVat, rest]);
  });

  it('have the note of a payment below its method', () => {
    const payments = [{ method: 'CHECK', amount: 0.1, date: '2026-11-21', note: 'No. 1042, לאומי' }] as const;
    expect(table(pageOf({ payments }), 'payments')[1]?.[0]).toBe('Check\nNo. 1042, לאומי');
  });

  it('show every decimal of a unit price, and never minus zero', () => {
    const page = pageOf({ items: [anItem({ unitPrice: 0.0125, quantity: 0.0001, lineTotal: -0 })] });
    expect(table(page, 'items')[1]).toEqual(['Consulting', '0.0001', '0.0125', '18%', '0.00']);
  });

  it('show discounts if there are any', () => {
    const page = pageOf({ items: [anItem({ discountPercent: 12.5 }), anItem({ vatRate: 0 })] });
    expect(table(page, 'items').map((row) => row.slice(3))).toEqual([
      ['Discount', 'VAT', 'Total before VAT (ILS)'],
      ['12.5%', '18%', '1,200.00'],
      ['0%', '0%', '1,200.00'],
    ]);
  });

  it('show the VAT of each rate if there are several', () => {
    const vatByRate = [
      { rate: 18, base: 1_125, tax: 202.5 },
      { rate: 0, base: 120.02, tax: 0 },
    ];
    const page = pageOf({ vatByRate });
    expect(table(page, 'vat')).toEqual([
      ['Rate', 'Before VAT (ILS)', 'VAT (ILS)'],
      ['18%', '1,125.00', '202.50'],
      ['0%', '120.02', '0.00'],
    ]);
    expect(table(page, 'totals')[1]).toEqual(['VAT', '216.00 ILS']);
    expect(table(pageOf(), 'vat')).toEqual([]);
  });

  it.each([
    ['RECEIPT', 'Pays', 40],
    ['REFUND', 'Credits', null],
    ['TAX_INVOICE', 'Replaces', null],
  ] as const)('name the documents that a %s settles', (type, heading, amount) => {
    const page = pageOf({ type, settles: [{ type: 'TAX_INVOICE', number: 5, amount }] });
    expect(page).toContain(`<caption>${heading}</caption>`);
    const amounts = amount === null ? [[], []] : [['Amount (ILS)'], ['40.00']];
    expect(table(page, 'settled')).toEqual([
      ['Document', ...amounts[0]!],
      ['Tax invoice no. 5', ...amounts[1]!],
    ]);
  });

  it('run from left to right in Hebrew too', () => {
    const page = pageOf({ ...HEBREW, amount: -5 });
    expect(page).toContain('<td class="number"><bdi dir="ltr">-5.00 <bdi>ILS</bdi></bdi></td>');
    expect(page).not.toMatch(/<td class="number">(?!<bdi dir="ltr">)/);
  });
});

describe('an absent field', () => {
  it('is not shown: dates, ids, notes, addresses, payments, contact and bank of the company', () => {
    const absent = {
      legalName: null,
      taxId: null,
      addressLines: [],
      phone: null,
      email: null,
      website: null,
    };
    const page = pageOf({
      ...{ dueDate: null, externalId: null, notes: null, payments: [] },
      issuer: { ...absent, bankAccounts: [], footer: null },
      recipient: { name: 'Client', taxId: null, addressLines: [] },
    });
    expect(page).not.toMatch(
      /Due|Reference|Notes|Tax ID|Payments|Phone|Bank|Allocation|Period|<footer|null|undefined/,
    );
  });

  it('of a receipt without items leaves one total', () => {
    const page = pageOf({ type: 'RECEIPT', items: [], vatByRate: [], amount: 50, tax: 0, totalWithTax: 50 });
    expect(page).not.toContain('<table class="items">');
    expect(table(page, 'totals')).toEqual([['Total', '50.00 ILS']]);
  });
});

describe('the page', () => {
  const page = pageOf();

  it('is one complete document of correctly nested elements', () => {
    expect(page).toMatch(/^<!DOCTYPE html>\n<html lang="en" dir="ltr">\n<head>\n<meta charset="utf-8">/);
    const open: string[] = [];
    for (const [, slash, name = ''] of page.matchAll(/<(\/?)([a-z][a-z0-9]*)[^>]*>/g)) {
      if (name === 'meta' || name === 'img') continue;
      if (slash === '/') expect(open.pop()).toBe(name);
      else open.push(name);
    }
    expect(open).toEqual([]);
  });

  it('runs nothing and loads nothing', () => {
    expect(page).not.toMatch(/<(script|link|img|iframe|object|embed|form|base|svg|a)\b/i);
    expect(page).not.toMatch(/\s(on[a-z]+|style|src|href|action)=/i);
    expect(page.replace('https://cedar.example', '')).not.toMatch(/url\(|@import|https?:/i);
  });

  it('names the rows and columns of its tables for screen readers', () => {
    const headers = [...page.matchAll(/<th\b[^>]*>/g)].map(([tag]) => tag);
    expect(headers.length).toBeGreaterThan(10);
    for (const header of headers) expect(header).toMatch(/ scope="(row|col)"/);
    expect(page.match(/<table/g)?.length).toBe(page.match(/<caption/g)?.length);
  });

  it('prints on A4, with aligned figures', () => {
    expect(page).toContain('@page { size: A4;');
    expect(page).toContain('tabular-nums');
  });

  it('contains a policy that allows only its own style', () => {
    const { html, policy } = documentPage(aPreview({ issuer: { accentColor: '#1a5fb4' } }));
    const [, style = ''] = /<style>(.*?)<\/style>/s.exec(html) ?? [];
    const hash = createHash('sha256').update(style).digest('base64');
    expect(policy).toBe(
      `default-src 'none'; style-src 'sha256-${hash}'; img-src data:; base-uri 'none'; form-action 'none'`,
    );
    expect(decoded(html)).toContain(`<meta http-equiv="content-security-policy" content="${policy}">`);
    expect(style.length).toBeGreaterThan(500);
    expect(style).not.toMatch(/[<&]/);
  });

  it('may have something above the document, with a style of its own', () => {
    const top: PageTop = { content: markup`<p class="top">Paid</p>\n`, style: markup`.top { margin: 0; }` };
    const { html, policy } = documentPage(aPreview(ISSUED), top);
    expect(html).toContain('<body>\n<p class="top">Paid</p>\n<header');
    expect(html).toContain('.top { margin: 0; }</style>');
    expect(policy).not.toBe(documentPage(aPreview(ISSUED)).policy);
  });

  it('takes a few milliseconds for 1,000 items', async () => {
    const items = Array.from({ length: 1_000 }, () =>
      anItem({ description: '<b>ייעוץ & "more"</b> '.repeat(15) }),
    );
    let large = '';
    const cost = await relativeCost(() => (large = pageOf({ items })));
    expect(table(large, 'items').length).toBe(1_001);
    expect(cost).toBeLessThan(5);
  });
});
