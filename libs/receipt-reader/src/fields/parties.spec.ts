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
});
