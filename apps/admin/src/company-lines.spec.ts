import { headerOf, lineOf, type ListedCompany } from './company-lines';

const COMPANY: ListedCompany = {
  ...{ id: 7, name: 'Acme Ltd.', taxId: '514000000', state: 'active' },
  ...{
    createdAt: new Date('2026-03-02T23:59:59Z'),
    suspendedAt: null,
    erasedAt: null,
    recordsKeptUntil: null,
  },
  ...{ keys: 4, moreKeys: false, documents: 1_000, moreDocuments: true },
  lastUsedAt: new Date('2026-11-26T00:00:00Z'),
};

/** The texts of a line, under the titles of the header. */
function cellsOf(company: ListedCompany): string[] {
  const titles = [...headerOf().matchAll(/ *(?:\S+ ?)+/g)];
  expect(titles).toHaveLength(8);
  return lineOf(company)
    .split(/ {2,}/)
    .filter((cell) => cell !== '');
}

describe('a line of company:list', () => {
  it('has the days of a company, and its counts', () => {
    expect(cellsOf(COMPANY)).toEqual([
      ...['7', 'Acme Ltd.', '514000000', 'active', '2026-03-02', '4', '1000+', '2026-11-26'],
    ]);
  });

  it('is as wide as the header, whatever the name', () => {
    const lines = ['', 'x'.repeat(500), '\u{1f600}'.repeat(40)].map((name) => lineOf({ ...COMPANY, name }));
    const widths = [headerOf(), ...lines].map((line) => [...line].length);
    expect(widths.slice(1)).toEqual(lines.map(() => widths[1]));
    expect(lines[1]).toContain(`${'x'.repeat(31)}…`);
  });

  it('says that a company without a tax id was never used', () => {
    expect(cellsOf({ ...COMPANY, taxId: null, lastUsedAt: null })).toEqual([
      ...['7', 'Acme Ltd.', 'active', '2026-03-02', '4', '1000+', 'never'],
    ]);
  });

  it('passes no control character on to the terminal', () => {
    expect(lineOf({ ...COMPANY, name: '\u001b[31mred\r\nline\u202e' })).toContain(
      '\u{fffd}[31mred\u{fffd}\u{fffd}line\u{fffd}',
    );
  });
});
