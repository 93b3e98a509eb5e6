import { readText } from '../testing/fields-of';

const hebrew = (...lines: readonly string[]) => `
מאפיית השקד בע"מ
רחוב הרצל 12, תל אביב
${lines.join('\n')}
חשבונית מס קבלה 1042
תאריך: 14/03/2026
לחם 12.00
סה"כ לתשלום 58.47
`;
const english = (...lines: readonly string[]) => `
Almond Bakery Ltd
12 Herzl Street, Tel Aviv
${lines.join('\n')}
Tax invoice 1042
Date: 14/03/2026
Bread 12.00
Total 58.47
`;

function taxIdOf(text: string) {
  const { fields, confidence } = readText(text);
  return { taxId: fields.vendorTaxId, confidence: confidence.vendorTaxId };
}

const LINES = [
  'ע.מ. 514000018',
  'ח.פ. 514000018',
  'ח.פ: 51-400001-8',
  'ח.פ. IL514000018',
  'עוסק מורשה 514000018',
  "עוסק מורשה מס' 514000018",
  'ע.מ. 514000018 טל 02-6543210',
  'ח.פ. 514000018  02-6543210',
];

describe('an Israeli tax id with a wrong check digit', () => {
  it.each([...LINES, 'עוסק מורשה\n514000018'])(
    'is found with a low confidence on a Hebrew page: %j',
    (line) => {
      expect(taxIdOf(hebrew(line))).toEqual({ taxId: '514000018', confidence: 0.3 });
    },
  );

  it.each(LINES)('is found with a low confidence by its Hebrew label: %j', (line) => {
    expect(taxIdOf(english(line))).toEqual({ taxId: '514000018', confidence: 0.3 });
  });

  it('gives way to a number with a right one', () => {
    const { taxId, confidence } = taxIdOf(hebrew('ע.מ. 514000018', 'ח.פ. 514000017'));
    expect(taxId).toBe('514000017');
    expect(confidence).toBeGreaterThan(0.9);
  });

  it.each(['514000018', 'טל 02-6543210', 'לכבוד: רהיטי הגליל ח.פ. 514000018', 'חשבון בנק 514000018'])(
    'is no other number of nine digits: %s',
    (line) => {
      expect(taxIdOf(hebrew(line))).toEqual({ taxId: undefined, confidence: undefined });
    },
  );

  it('has no check digit of Israel on a page in another language', () => {
    expect(taxIdOf(english('VAT No. 514000018')).confidence).toBeGreaterThan(0.5);
  });
});
