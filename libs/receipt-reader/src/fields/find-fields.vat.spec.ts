import type { Page } from '../page';
import { cellsOf } from '../pdf/cells';
import { piecesOf, type TextItem } from '../pdf/text-pieces';
import { readText } from '../testing/fields-of';
import { findFields } from './find-fields';

const hebrew = (...lines: readonly string[]) => `
מאפיית השקד בע"מ
רחוב הרצל 12, תל אביב
ע.מ. 514000017
חשבונית מס קבלה 1042
תאריך: 14/03/2026
לחם 12.00
עוגה 37.55
${lines.join('\n')}
סה"כ לתשלום 58.47
`;
const english = (...lines: readonly string[]) => `
Almond Bakery Ltd
12 Herzl Street, Tel Aviv
Tax invoice 1042
Date: 14/03/2026
Bread 12.00
Cake 37.55
${lines.join('\n')}
Total 58.47
`;

/** The total and the tax of a receipt with this line, after the net if `isNetPrinted`. */
function amountsWith(line: string, isNetPrinted = false) {
  const isEnglish = line.includes('VAT');
  const net = isEnglish ? 'Subtotal 49.55' : 'סה"כ לפני מע"מ 49.55';
  const lines = isNetPrinted ? [net, line] : [line];
  const { total, tax } = readText(isEnglish ? english(...lines) : hebrew(...lines)).fields;
  return { total, tax };
}

const HEBREW = [
  'מע"מ 18% 8.92',
  'מע״מ 18%: 8.92',
  "מע''מ 18% 8.92",
  'מ.ע.מ. 18% 8.92',
  'מעמ 17 % 8.92',
  'מע"מ 18.00% 8.92',
  'מע"מ 18%8.92',
  'מע"מ18% 8.92',
  'מע"מ ב-18% 8.92',
  'מע"מ בשיעור 18% 8.92',
  'מע"מ %18 8.92',
  'מע"מ % 18 8.92',
  'מע"מ 8.92 18%',
  'מע"מ 8.92 % 18',
  'מע"מ (18%) 8.92',
  '18% מע"מ 8.92',
  'מע"מ 18% 8.92 ₪',
  'מע"מ 18% ₪8.92',
  'סה"כ מע"מ 8.92',
  'סה"כ מע"מ 18% 8.92',
  'סכום מע"מ 18 % 8.92 ש"ח',
  'כולל מע"מ 18% 8.92',
];
const ENGLISH = [
  'VAT 18% 8.92',
  'VAT 18 % 8.92',
  'VAT (18%) 8.92',
  'VAT @ 18% 8.92',
  'VAT18% 8.92',
  'VAT: 18% 8.92',
  'VAT 8.92 (18%)',
  'VAT 8.92 18%',
  '18% VAT 8.92',
];

describe('the VAT beside its rate', () => {
  it.each([...HEBREW, ...ENGLISH])('%s', (line) => {
    expect(amountsWith(line)).toEqual({ total: 58.47, tax: 8.92 });
  });

  it.each([...HEBREW, ...ENGLISH].filter((line) => line.includes('18')))('%s, after the net', (line) => {
    expect(amountsWith(line, true)).toEqual({ total: 58.47, tax: 8.92 });
  });

  it.each(['מע"מ 18%', 'מע"מ % 18', 'מע"מ בשיעור 18%', 'VAT 18%', 'VAT (18%)'])(
    'is not the rate: %s',
    (line) => {
      expect(amountsWith(line)).toEqual({ total: 58.47 });
    },
  );
});

/** Pieces of a row of a PDF, from left to right with a space between them. */
function drawnRow(pieces: readonly string[], y: number): TextItem[] {
  let x = 100;
  return pieces.map((str) => {
    const width = str.length * 5;
    const item: TextItem = {
      ...{ str, dir: /[\u05d0-\u05ea]/.test(str) ? 'rtl' : 'ltr', width, height: 10 },
      transform: [10, 0, 0, 10, x, y],
    };
    x += width + 3;
    return item;
  });
}

function drawnPage(vat: readonly string[]): Page {
  const rows = [
    ['מאפיית השקד בע"מ'],
    ['1042', 'חשבונית מס'],
    ['49.55', 'לחם'],
    vat,
    ['58.47', 'סה"כ לתשלום'],
  ];
  const items = rows.flatMap((row, index) => drawnRow(row, 700 - 20 * index));
  return cellsOf(piecesOf(items, { width: 600, height: 800, transform: [1, 0, 0, -1, 0, 800] }));
}

describe('the VAT beside its rate in the text of a PDF', () => {
  it.each([
    [['8.92', '18%', 'מע"מ']],
    [['8.92', '%18', 'מע"מ']],
    [['8.92', '18 %', 'מע"מ']],
    [['8.92', ':18%', 'מע"מ']],
    [['₪8.92', '18%', 'מע"מ']],
    [['8.92 ₪', '18%', 'מע"מ']],
    [['8.92', '(18%)', 'מע"מ']],
    [['18%', '8.92', 'מע"מ']],
    [['8.92', 'מע"מ', '18%']],
    [['מע"מ 18% 8.92']],
  ])('%j', (vat) => {
    const { fields } = findFields([drawnPage(vat)], { source: 'pdf-text', today: '2026-06-30' });
    expect(fields).toMatchObject({ total: 58.47, tax: 8.92 });
  });
});
