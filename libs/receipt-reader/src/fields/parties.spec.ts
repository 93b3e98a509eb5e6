import { plainTextPage } from '../text/plain-text-page';
import { Parties } from './parties';
import { toSheet } from './sheet';

function partyOf(text: string, part: string) {
  const sheet = toSheet([plainTextPage(text)], 'text', '2026-01-01');
  const parties = new Parties(sheet);
  const line = sheet.lines.find((one) => one.text.includes(part));
  return line && parties.at(line, line.text.indexOf(part));
}

describe('the party of a text', () => {
  it('separates columns under two headings', () => {
    const text = 'From                Bill to\nAlder Ltd           Birch Inc\n1 Oak Road          2 Elm Road';
    expect(partyOf(text, 'Alder')).toBe('seller');
    expect(partyOf(text, 'Birch')).toBe('customer');
    expect(partyOf(text, '2 Elm')).toBe('customer');
  });

  it('finds the customer after a label', () => {
    expect(partyOf('לכבוד: סטודיו גל\nתאריך: 1.1.2024', 'סטודיו')).toBe('customer');
  });

  it('is unknown for a letterhead', () => {
    expect(partyOf('Alder Ltd\n1 Oak Road', 'Alder')).toBeUndefined();
  });

  it('ends the customer at a greeting, a copyright or a gap', () => {
    const head = 'Sold to\nBirch Inc\n2 Elm Road\n';
    expect(partyOf(`${head}Thank you\nAlder Ltd`, 'Alder')).toBeUndefined();
    expect(partyOf(`${head}© 2024 Alder Ltd`, 'Alder')).toBeUndefined();
    expect(partyOf(`${head}\n\nAlder Ltd`, 'Alder')).toBeUndefined();
    expect(partyOf(`${head}Leeds`, 'Leeds')).toBe('customer');
  });

  it('takes the text below a heading, not the one beside it', () => {
    const text = 'Bill to                Alder Ltd\nBirch Inc              1 Oak Road';
    expect(partyOf(text, 'Alder')).toBeUndefined();
    expect(partyOf(text, 'Birch')).toBe('customer');
  });

  it("finds the customer above the customer's tax number", () => {
    const text = 'Alder Ltd, 1 Oak Road, Leeds\nBirch Inc\n2 Elm Road\nYour VAT number GB123456789';
    expect(partyOf(text, 'Birch')).toBe('customer');
    expect(partyOf(text, 'Alder')).toBeUndefined();
    expect(partyOf('Birch Inc\n2 Elm Road\nVAT number GB123456789', 'Birch')).toBeUndefined();
  });
});
