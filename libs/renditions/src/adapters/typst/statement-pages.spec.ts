import fs from 'node:fs';
import { aPrintableStatement, aStatementLine } from '../../testing/a-printable-statement';
import { type ReadPdf, readPdfs } from '../../testing/read-pdfs';
import { TypstPdfRenderer } from './typst-pdf-renderer';

const LINES = 120;

const HEBREW = aPrintableStatement({
  language: 'he',
  issuer: { ...aPrintableStatement().issuer, name: 'נגריית הארז', legalName: null, footer: 'תודה' },
  recipient: { name: 'ספרי הפנס הכחול', taxId: '520000472', addressLines: ['סמטת הזית 7'] },
});

const STATEMENTS = {
  english: aPrintableStatement(),
  hebrew: HEBREW,
  long: aPrintableStatement(
    {},
    {
      lines: Array.from({ length: LINES }, (_, at) =>
        aStatementLine({ number: at + 1, debit: 10, balance: 250.5 + 10 * (at + 1) }),
      ),
    },
  ),
  longHebrew: aPrintableStatement(
    { language: 'he', issuer: HEBREW.issuer, recipient: HEBREW.recipient },
    {
      lines: Array.from({ length: LINES }, (_, at) =>
        aStatementLine({ number: at + 1, debit: 10, balance: 250.5 + 10 * (at + 1) }),
      ),
    },
  ),
  negative: aPrintableStatement(
    {},
    {
      lines: [
        aStatementLine({
          entry: 'CLOSING',
          dueDate: '2026-12-05',
          debit: 0,
          credit: 999_999_999_999.99,
          balance: -1,
        }),
        aStatementLine({ entry: 'CLOSING', debit: 50, credit: 0, balance: 49 }),
        aStatementLine({ entry: 'CLOSING', type: 'RECEIPT', number: 7, debit: 30, credit: 0, balance: 79 }),
      ],
      ...{ closingBalance: -999_999_999_999.99, unallocatedCredit: 999_999_999_999.99 },
      ageing: {
        ...{ asOf: '2026-11-30', notDue: 999_999_999_999.99, days1To30: 999_999_999_999.99 },
        ...{ days31To60: 999_999_999_999.99, days61To90: 999_999_999_999.99, over90: 999_999_999_999.99 },
        total: 999_999_999_999.99,
      },
    },
  ),
};

describe('the pages of a statement of account', () => {
  const renderer = new TypstPdfRenderer();
  const read = {} as Record<keyof typeof STATEMENTS, ReadPdf>;

  beforeAll(async () => {
    const names = Object.keys(STATEMENTS) as (keyof typeof STATEMENTS)[];
    const pdfs: Uint8Array[] = [];
    for (const name of names) pdfs.push((await renderer.render(STATEMENTS[name])).pdf);
    const folder = process.env['STATEMENT_PDFS'];
    if (folder) pdfs.forEach((pdf, at) => fs.writeFileSync(`${folder}/${names[at]}.pdf`, pdf));
    readPdfs(pdfs).forEach((pdf, at) => (read[names[at]!] = pdf));
  }, 60_000);

  it('show both parties, the period, the balances and what is open', () => {
    const { title, language, tagged, pages, attachments } = read.english;
    expect({ title, language, tagged, attachments }).toEqual({
      ...{ title: 'Statement of account', language: 'en', tagged: true, attachments: [] },
    });
    expect(pages).toHaveLength(1);
    const { text } = pages[0]!;
    for (const shown of [
      ...['Cedar Workshop', 'Blue Lantern Books', '2026-11-01 – 2026-11-30', 'Opening balance', '250.50'],
      ...['Tax invoice no. 1042', '2026-11-05', '2026-12-05', '1,180.00', '1,430.50', 'Receipt no. 77'],
      ...['Closing balance', '1,180.00 ILS', 'Open amounts by days overdue', '31–60 days', 'Bank details'],
    ])
      expect(text).toContain(shown);
    expect(text).not.toContain('Credit not yet allocated');
  });

  it('are in Hebrew', () => {
    const { title, language, pages } = read.hebrew;
    expect({ title, language }).toEqual({ title: 'מצב חשבון', language: 'he' });
    // As it is read: the first day is on the right.
    expect(pages[0]!.text).toMatch(/01\/11\/2026\s*–\s*30\/11\/2026/);
    for (const shown of ['יתרת פתיחה', 'חובה', 'זכות', 'יתרת סגירה', '01/11/2026', 'חשבונית מס'])
      expect(pages[0]!.text).toContain(shown);
  });

  it.each(['long', 'longHebrew'] as const)('repeat the heads and carry the balance forward: %s', (name) => {
    const { pages } = read[name];
    expect(pages.length).toBeGreaterThan(2);
    const words = name === 'long' ? ['Debit', 'Carried forward'] : ['חובה', 'העברה מעמוד קודם'];
    for (const { text } of pages.slice(1, -1)) for (const word of words) expect(text).toContain(word);
    const all = pages.map(({ text }) => text).join('\n');
    for (let number = 1; number <= LINES; number++)
      expect(all).toContain((250.5 + 10 * number).toLocaleString('en-US', { minimumFractionDigits: 2 }));
  });

  it('show amounts below zero, and any amount within the page', () => {
    const [page] = read.negative.pages;
    expect(page!.text).toContain('Closed: Tax invoice no. 1042');
    expect(page!.text).toContain('Closing taken back: Tax invoice no. 1042');
    expect(page!.text).toContain('Closed: Receipt no. 7');
    expect(page!.text).toContain('-1.00');
    expect(page!.text).toContain('Credit not yet allocated');
    expect(page!.right).toBeLessThanOrEqual(595.3 - 42);
    expect(page!.left).toBeGreaterThanOrEqual(42);
  });
});
