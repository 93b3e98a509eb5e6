import type { ReceiptFields } from '../reading';
import { plainTextPage } from '../text/plain-text-page';
import { findFields } from './find-fields';

interface Case {
  readonly name: string;
  readonly text: string;
  readonly fields: Pick<ReceiptFields, 'total' | 'tax'>;
}

const CASES: readonly Case[] = [
  {
    name: 'an invoice with a space between thousands and a point before the cents',
    text: `
Fjordlys Verksted AS
Invoice 5511   Date 2026-05-04
Parts            NOK 12 500.00
VAT 25%          NOK  3 125.00
Total            NOK 15 625.00
`,
    fields: { total: 15625, tax: 3125 },
  },
  {
    name: 'an invoice in crowns without cents',
    text: `
Stavby Novotny s.r.o.
Faktura c. 20260017
Datum vystaveni: 4.3.2026
Zaklad dane   10 000 Kč
DPH 27%        2 700 Kč
Celkem        12 700 Kč
`,
    fields: { total: 12700, tax: 2700 },
  },
  {
    name: 'a receipt in forints',
    text: `
Kerekes Kft
Nyugta szam: 5511
Datum: 2026.03.04
Kave               1 200 Ft
Szendvics          2 300 Ft
Fizetendo:         3 500 Ft
`,
    fields: { total: 3500 },
  },
  {
    name: 'a receipt with thousands after a comma in a currency that has thousandths',
    text: `
Dijla Books
Receipt No: 7712
Date: 04/05/2026
Paper            IQD 125,000
Total            IQD 125,000
`,
    fields: { total: 125000 },
  },
  {
    name: 'an invoice without cents and without any currency, which is left out',
    text: `
Atelier Dupont SARL
Facture 2026-017   Date 04/03/2026
Total TTC: 12 700
`,
    fields: {},
  },
  {
    name: 'an invoice of millions without cents',
    text: `
Sakura Trading KK
Invoice No: 5512
Invoice date: 2026-03-04
Machine part             ¥980,000
Subtotal                 ¥980,000
Tax (10%)                 ¥98,000
Total                  ¥1,078,000
`,
    fields: { total: 1078000, tax: 98000 },
  },
  {
    name: 'an invoice in thousandths after a comma, which is left out',
    text: `
Atelier du Lac SUARL
Facture 2026-018   Date 04/03/2026
Total HT       105,462
TVA 19%         20,038
Total TTC      125,500 TND
`,
    fields: {},
  },
  {
    name: 'an invoice with lakhs',
    text: `
Shanti Builders
GSTIN 27AAPFU0939F1ZV
Invoice: SB/118
Dated: 02-Jan-2026
Site work           1,25,000.00
IGST @18%             22,500.00
Total Amount        1,47,500.00
`,
    fields: { total: 147500, tax: 22500 },
  },
  {
    name: 'a receipt in thousandths, which is left out',
    text: `
Dune Stationers
Receipt 7712   04/05/2026
Paper      7.250
Pens       5.250
Total KWD 12.500
`,
    fields: {},
  },
  {
    name: 'a receipt that speaks of what else was spent',
    text: `
PANTRY CORNER
Milk           2.10
Bread          1.90
Total          4.00
Total savings this year   312.55
Total spent this month     88.20
05/05/2026 10:10
`,
    fields: { total: 4 },
  },
  {
    name: 'an invoice of a part of a contract',
    text: `
Quillon Design Ltd
Invoice no: Q-2044
Invoice date: 4 March 2026
Total contract value         $12,000.00
Work done in February         $3,180.00
Amount due this invoice       $3,180.00
`,
    fields: { total: 3180 },
  },
  {
    name: 'an agreement, which is no receipt',
    text: `
SERVICE AGREEMENT
This Agreement is made on 4 January 2026 between Alpha Ltd ("Supplier") and Beta Ltd ("Customer").
1. The Customer shall pay a monthly fee of £1,500.00 plus VAT within 30 days.
2. The total liability of either party shall not exceed £50,000.00 in any contract year.
`,
    fields: {},
  },
  {
    name: 'a fee that was paid, with its tax',
    text: `
Registry Office
Receipt no. 5518   04/05/2026
Fee paid: EUR 11.50
incl. VAT 23%: EUR 2.15
`,
    fields: { total: 11.5, tax: 2.15 },
  },
  {
    name: 'a credit note',
    text: `
CREDIT NOTE
Birchwood Stationers Ltd
Credit note no: CN-0091
Credit note date: 19 Feb 2026
Returned: 10 box paper      -£240.00
Net                         -£240.00
VAT 20%                      -£48.00
Total credit                -£288.00
`,
    fields: { total: -288, tax: -48 },
  },
  {
    name: 'a receipt for money given back',
    text: `
Lace & Sole
REFUND RECEIPT 8812   03/03/2026
Boots returned   - € 80.00
Total refund     - € 80.00
Total     € -80.00
`,
    fields: { total: -80 },
  },
];

describe('the amounts of', () => {
  it.each(CASES)('$name', ({ text, fields }) => {
    const found = findFields([plainTextPage(text)], { source: 'text', today: '2026-06-30' }).fields;
    const { total, tax } = found;
    expect({ ...(total !== undefined && { total }), ...(tax !== undefined && { tax }) }).toEqual(fields);
  });
});
