import { plainTextPage } from '../text/plain-text-page';
import { blockFeatures } from './name-block';
import { toSheet } from './sheet';

function featuresOf(text: string, part: string) {
  const sheet = toSheet([plainTextPage(text)], 'text', '2026-01-01');
  const line = sheet.lines.find((one) => one.text.includes(part));
  const cell = line?.cells.find((one) => one.text.includes(part));
  if (!line || !cell) throw new Error(`no ${part}`);
  return blockFeatures(sheet, line, cell);
}

describe('the block below a name', () => {
  const text = [
    'Birch Inc             Alder Ltd',
    '2 Elm Road            1 Oak Road',
    'York                  Leeds',
    '                      VAT no. GB123456789',
    '                      www.alder.co.uk',
    '',
    '',
    '',
    'Account IBAN GB37 4514 8867',
  ].join('\n');

  it('has the tax number and the contacts of a business', () => {
    expect(featuresOf(text, 'Alder Ltd')).toEqual({ blockTaxId: 1, blockWeb: 1 });
  });

  it('has only an address for a customer', () => {
    expect(featuresOf(text, 'Birch')).toEqual({});
  });

  it('knows the small line of the sender', () => {
    expect(featuresOf('Alder Ltd · 1 Oak Road · Leeds 4', 'Alder')).toMatchObject({ senderLine: 1 });
  });
});
