import { createHash } from 'node:crypto';
import type { DocumentType, PaymentMeans } from '@counterfoil/documents';
import { relativeCost } from '@counterfoil/test-harness';
import fc from 'fast-check';
import { DOCUMENT_PAGE_HEADERS, documentPage, type PrintableDocument } from './document-page';

function aDocument(overrides: Partial<PrintableDocument> = {}): PrintableDocument {
  return {
    type: 'TAX_INVOICE_RECEIPT',
    number: null,
    issueDate: '2026-11-21',
    dueDate: '2026-12-31',
    currency: 'ILS',
    company: { name: 'Acme', taxId: '510000001' },
    entity: { name: 'Client', taxId: '510000002' },
    items: [anItem()],
    payments: [{ method: 'CASH', amount: 1_416, date: '2026-11-22' }],
    amount: 1_200,
    tax: 216,
    rounding: 0,
    totalWithTax: 1_416,
    notes: 'Thanks',
    externalId: 'order-1',
    ...overrides,
  };
}

function anItem(overrides: Partial<PrintableDocument['items'][number]> = {}) {
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

/** A document in which the given text replaces every free text. */
function everywhere(text: string): PrintableDocument {
  const party = { name: text, taxId: text };
  return aDocument({
    issueDate: text,
    dueDate: text,
    currency: text,
    company: party,
    entity: party,
    items: [anItem({ description: text })],
    payments: [{ method: 'CASH', amount: 1, date: text }],
    notes: text,
    externalId: text,
  });
}
/** 4 of parties, 3 dates, description, external id, notes, and the currency in 3 headers and 3 totals. */
const TEXTS_EVERYWHERE = 16;

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
  return [...content.matchAll(/<tr>(.*?)<\/tr>/gs)].map(([, row = '']) =>
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
    const page = documentPage(everywhere(text));
    expect(tagsOf(page)).toEqual(tagsOf(documentPage(everywhere('x'))));
    expect(shownTexts(page).filter((shown) => shown === text).length).toBe(TEXTS_EVERYWHERE);
    expect(page).not.toContain('<script');
  });

  it('never changes the markup', () => {
    const texts = fc.oneof(
      fc.string({ unit: 'grapheme' }),
      fc.string({ unit: fc.constantFrom(...'<>"\'&/=-!;#ax \n\0\u202e\u2067א') }),
      fc.constantFrom(...HOSTILE),
    );
    const skeletons = [tagsOf(documentPage(everywhere('x'))), tagsOf(documentPage(everywhere('א')))];
    fc.assert(
      fc.property(texts, (text) => {
        expect(skeletons).toContainEqual(tagsOf(documentPage(everywhere(text))));
      }),
      { numRuns: 2_000 },
    );
  });

  it.each([...'\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069'])(
    'cannot reorder what stands beside it with %j',
    (control) => {
      const page = documentPage(everywhere(`a${control}1,000.00${control}b`));
      expect(page).not.toContain(control);
      expect(shownTexts(page)).toContain('a1,000.00b');
    },
  );

  it('is in an element with a direction of its own', () => {
    const page = documentPage(everywhere('shown'));
    const around = [...page.matchAll(/<([a-z]+)([^>]*)>shown</g)].map(([, tag = '', attributes = '']) => ({
      isolates: tag === 'bdi' || attributes.includes('dir="auto"'),
    }));
    expect(around.length).toBe(TEXTS_EVERYWHERE);
    expect(around.every(({ isolates }) => isolates)).toBe(true);
  });

  it('is kept if it has many lines or no place to break', () => {
    const page = documentPage(
      aDocument({ notes: 'one\ntwo\r\nthree', entity: { name: 'x'.repeat(500), taxId: null } }),
    );
    expect(shownTexts(page)).toEqual(expect.arrayContaining(['one\ntwo\r\nthree', 'x'.repeat(500)]));
  });
});

describe('language and direction', () => {
  const hebrew = 'ייעוץ';
  const english = '<html lang="en" dir="ltr">';
  const rightToLeft = '<html lang="he" dir="rtl">';

  it('is English from left to right when no text is Hebrew', () => {
    const page = documentPage(aDocument());
    expect(page).toContain(english);
    expect(page).not.toMatch(/\p{Script=Hebrew}/u);
    expect(page).toContain('Tax invoice and receipt');
  });

  it.each([
    ['the company', { company: { name: hebrew, taxId: null } }],
    ['the client', { entity: { name: `Acme ${hebrew}`, taxId: null } }],
    ['any description', { items: [anItem(), anItem({ description: `2 × ${hebrew}` })] }],
    ['the notes', { notes: hebrew }],
    ['the external id', { externalId: 'א-17' }],
    ['a letter of the presentation forms', { notes: '\ufb2a' }],
  ])('is Hebrew from right to left when there is Hebrew in %s', (_, overrides) => {
    const page = documentPage(aDocument(overrides));
    expect(page).toContain(rightToLeft);
    expect(page).toContain('חשבונית מס קבלה');
    expect(page).not.toContain('Tax invoice');
  });

  it.each(['', '₪', 'مرحبا', 'Ünïcode', '中文', 'Привет'])('is English for %j', (notes) => {
    expect(documentPage(aDocument({ notes }))).toContain(english);
  });

  it('names every document type in both languages', () => {
    const titleOf = (overrides: Partial<PrintableDocument>) =>
      /<h1>(.*)<\/h1>/.exec(documentPage(aDocument(overrides)))?.[1];
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
      expect([titleOf({ type, notes: hebrew }), titleOf({ type })]).toEqual(titles);
    }
  });

  it('names every means of payment in both languages', () => {
    const methodOf = (method: PaymentMeans, notes: string | null) =>
      table(
        documentPage(aDocument({ payments: [{ method, amount: 1, date: '2026-11-21' }], notes })),
        'payments',
      )[1]?.[0];
    const expected: Record<PaymentMeans, readonly [string, string]> = {
      CASH: ['מזומן', 'Cash'],
      CHECK: ['המחאה', 'Check'],
      BANK_TRANSFER: ['העברה בנקאית', 'Bank transfer'],
      CREDIT_CARD: ['כרטיס אשראי', 'Credit card'],
      OTHER: ['אחר', 'Other'],
    };
    for (const [name, names] of Object.entries(expected)) {
      const method = name as PaymentMeans;
      expect([methodOf(method, hebrew), methodOf(method, null)]).toEqual(names);
    }
  });

  it('shows dates in the format of the language, with machine-readable values', () => {
    expect(documentPage(aDocument())).toContain(
      '<time datetime="2026-11-21"><bdi dir="ltr">2026-11-21</bdi>',
    );
    expect(documentPage(aDocument({ notes: hebrew }))).toContain(
      '<time datetime="2026-11-21"><bdi dir="ltr">21/11/2026</bdi>',
    );
  });
});

describe('a document without a number', () => {
  it.each([
    [null, 'Preview: not issued, no number'],
    ['שלום', 'תצוגה מקדימה, לא הופק'],
  ])(
    'is marked as a preview on the screen, on every printed page and in the title (notes %j)',
    (notes, mark) => {
      const page = documentPage(aDocument({ notes }));
      expect(page).toContain(`<p class="mark">${mark}</p>`);
      expect(page).toContain(`<p class="watermark" aria-hidden="true">${mark}</p>`);
      expect(/<title>(.*)<\/title>/.exec(page)?.[1]).toContain(mark);
    },
  );

  it('is not marked as a preview once it has a number', () => {
    const page = documentPage(aDocument({ number: 17 }));
    expect(page).not.toContain('Preview');
    expect(page).not.toContain('<p class="mark">');
    expect(page).toContain('<title>Tax invoice and receipt no. 17</title>');
    expect(page).toContain('<h1>Tax invoice and receipt no. 17</h1>');
    expect(documentPage(aDocument({ number: 17, notes: 'שלום' }))).toContain(
      '<h1>חשבונית מס קבלה מס׳ 17</h1>',
    );
  });
});

describe('figures', () => {
  it('have thousands separators, 2 decimals where they are money, and the currency', () => {
    const page = documentPage(
      aDocument({
        currency: 'USD',
        items: [anItem({ quantity: 1_234.5, unitPrice: 9_999_999_999.9999, lineTotal: 999_999_999_999.99 })],
        payments: [{ method: 'CHECK', amount: 0.1, date: '2026-11-21' }],
        amount: 1_234_567.8,
        tax: 0,
        totalWithTax: 1_234_567.8,
      }),
    );
    expect(table(page, 'items')).toEqual([
      ['Description', 'Quantity', 'Unit price (USD)', 'VAT', 'Total before VAT (USD)'],
      ['Consulting', '1,234.5', '9,999,999,999.9999', '18%', '999,999,999,999.99'],
    ]);
    expect(table(page, 'totals')).toEqual([
      ['Total before VAT', '1,234,567.80 USD'],
      ['VAT', '0.00 USD'],
      ['Total including VAT', '1,234,567.80 USD'],
    ]);
    expect(table(page, 'payments')).toEqual([
      ['Method', 'Date', 'Amount (USD)'],
      ['Check', '2026-11-21', '0.10'],
    ]);
  });

  it.each([
    [null, ['Rounding', '-0.35 ILS']],
    ['שלום', ['עיגול', '-0.35 ILS']],
  ])('show by how much the total was rounded (notes %j)', (notes, row) => {
    const rounded = { amount: 100.3, tax: 18.05, rounding: -0.35, totalWithTax: 118, notes };
    expect(table(documentPage(aDocument(rounded)), 'totals')[2]).toEqual(row);
    expect(table(documentPage(aDocument({ notes })), 'totals')).toHaveLength(3);
  });

  it('show every decimal of a unit price, and never minus zero', () => {
    const page = documentPage(
      aDocument({ items: [anItem({ unitPrice: 0.0125, quantity: 0.0001, lineTotal: -0 })] }),
    );
    expect(table(page, 'items')[1]).toEqual(['Consulting', '0.0001', '0.0125', '18%', '0.00']);
  });

  it('show discounts if there are any', () => {
    const page = documentPage(
      aDocument({ items: [anItem({ discountPercent: 12.5 }), anItem({ vatRate: 0 })] }),
    );
    expect(table(page, 'items').map((row) => row.slice(3))).toEqual([
      ['Discount', 'VAT', 'Total before VAT (ILS)'],
      ['12.5%', '18%', '1,200.00'],
      ['0%', '0%', '1,200.00'],
    ]);
  });

  it('run from left to right in Hebrew too', () => {
    const page = documentPage(aDocument({ notes: 'שלום', amount: -5 }));
    expect(page).toContain('<td class="number"><bdi dir="ltr">-5.00 <bdi>ILS</bdi></bdi></td>');
    expect(page).not.toMatch(/<td class="number">(?!<bdi dir="ltr">)/);
  });
});

describe('an absent field', () => {
  it('is not shown: due date, external id, notes, tax ids, payments', () => {
    const page = documentPage(
      aDocument({
        dueDate: null,
        externalId: null,
        notes: null,
        payments: [],
        company: { name: 'Acme', taxId: null },
        entity: { name: 'Client', taxId: null },
      }),
    );
    expect(page).not.toMatch(/Due|Reference|Notes|Tax ID|Payments|null|undefined/);
  });

  it('of a receipt without items leaves one total', () => {
    const page = documentPage(
      aDocument({ type: 'RECEIPT', items: [], amount: 50, tax: 0, totalWithTax: 50 }),
    );
    expect(page).not.toContain('<table class="items">');
    expect(table(page, 'totals')).toEqual([['Total', '50.00 ILS']]);
  });
});

describe('the page', () => {
  const page = documentPage(aDocument());

  it('is one complete document of correctly nested elements', () => {
    expect(page).toMatch(/^<!DOCTYPE html>\n<html lang="en" dir="ltr">\n<head>\n<meta charset="utf-8">/);
    const open: string[] = [];
    for (const [, slash, name = ''] of page.matchAll(/<(\/?)([a-z][a-z0-9]*)[^>]*>/g)) {
      if (name === 'meta') continue;
      if (slash === '/') expect(open.pop()).toBe(name);
      else open.push(name);
    }
    expect(open).toEqual([]);
  });

  it('runs nothing and loads nothing', () => {
    expect(page).not.toMatch(/<(script|link|img|iframe|object|embed|form|base|svg|a)\b/i);
    expect(page).not.toMatch(/\s(on[a-z]+|style|src|href|action)=/i);
    expect(page).not.toMatch(/url\(|@import|http/i);
  });

  it('names the rows and columns of its tables for screen readers', () => {
    const headers = [...page.matchAll(/<th\b[^>]*>/g)].map(([tag]) => tag);
    expect(headers.length).toBeGreaterThan(10);
    for (const header of headers) expect(header).toMatch(/ scope="(row|col)"/);
    expect(page.match(/<table/g)?.length).toBe(page.match(/<caption>/g)?.length);
  });

  it('prints on A4, with aligned figures', () => {
    expect(page).toContain('@page { size: A4;');
    expect(page).toContain('tabular-nums');
  });

  it('has headers that allow only its own style', () => {
    const [, style = ''] = /<style>(.*?)<\/style>/s.exec(page) ?? [];
    const hash = createHash('sha256').update(style).digest('base64');
    expect(DOCUMENT_PAGE_HEADERS).toEqual({
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': `default-src 'none'; style-src 'sha256-${hash}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
      'x-content-type-options': 'nosniff',
      'cache-control': 'no-store',
    });
    expect(style.length).toBeGreaterThan(500);
    expect(style).not.toMatch(/[<&]/);
  });

  it('takes a few milliseconds for 1,000 items', async () => {
    const items = Array.from({ length: 1_000 }, () =>
      anItem({ description: '<b>ייעוץ & "more"</b> '.repeat(15) }),
    );
    let large = '';
    const cost = await relativeCost(() => (large = documentPage(aDocument({ items }))));
    expect(table(large, 'items').length).toBe(1_001);
    expect(cost).toBeLessThan(5);
  });
});
