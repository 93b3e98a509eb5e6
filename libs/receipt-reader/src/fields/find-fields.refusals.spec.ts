import type { FieldName, ReceiptFields } from '../reading';
import { plainTextPage } from '../text/plain-text-page';
import { findFields } from './find-fields';

const read = (text: string) =>
  findFields([plainTextPage(text)], { source: 'text', today: '2026-12-31' }).fields;

describe('documents of another kind', () => {
  it.each([
    [
      'a delivery note',
      `
DELIVERY NOTE
Tarn Plumbing Supplies Ltd
Delivery note no. D-771   Date 19/02/2025
Order no. 3381
 6 x Ball valve
 1 x Pump
Goods received in good condition: ________
`,
    ],
    [
      'a quotation',
      `
QUOTATION
Farrow Joinery      Q-204
Valid until 30/06/2024
Oak shelves         900.00
Fitting             240.00
`,
    ],
    [
      'a bank statement',
      `
NORTH DALE BANK
Statement of account 31 May 2024
Sort code 44-10-02  Account 88120033
Date        Description      Paid out    Paid in    Balance
02/05/2024  Opening balance                          640.10
09/05/2024  CARD GROCER         31.40                608.70
24/05/2024  SALARY                      1,870.00   2,478.70
`,
    ],
    [
      'a payslip',
      `
Payslip
Employer: Marsh & Co Ltd     Pay date: 29/03/2024
Basic pay       1,980.00
Income tax        212.20
Net pay         1,767.80
`,
    ],
    [
      'an agreement',
      `
SERVICE AGREEMENT
This Agreement is made on 8 May 2024 between Ridge Ltd ("Supplier") and Vale Ltd ("Customer").
1. The Customer shall pay a monthly fee of £600.00 plus VAT within 30 days of the date of the invoice.
`,
    ],
    [
      'a letter',
      `
Dear Ms Amble,
Thank you for your letter of 9 April 2024, which we have passed on to our colleagues in Leeds for an answer.
`,
    ],
  ])('have no fields: %s', (_name, text) => {
    expect(read(text)).toEqual({});
  });
});

interface Refusal {
  readonly name: string;
  readonly text: string;
  readonly missing: readonly FieldName[];
  readonly fields: ReceiptFields;
}

const REFUSALS: readonly Refusal[] = [
  {
    name: 'an order number that stands in the second column of three',
    text: `
Redstone Fasteners Inc.
INVOICE
Customer No.    Order No.    Invoice No.
C-1180          SO-60215     40773
Invoice date 03/14/2024
Bolts           120.00
Total Due      $120.00
`,
    missing: [],
    fields: { documentNumber: '40773', total: 120 },
  },
  {
    name: 'a Hebrew row of three heads, none of which runs into the next',
    text: `
חשבונית מס 2214
מסגרית הגליל בע"מ
תאריך 04/06/2024
סה"כ    מע"מ 18%    סכום לתשלום
300.00    54.00    354.00
`,
    missing: [],
    fields: { total: 354, tax: 54 },
  },
  {
    name: "the customer's tax number",
    text: `
Stackpath Metrics, Inc.
44 Harbor Blvd, Oakland, CA 94607
Invoice number 5C10-0044
Invoice date March 6, 2024
Bill to
Lindner Technik GmbH
Ahornweg 4, 70190 Stuttgart
DE VAT DE136695976
Team plan       $80.00
Total           $80.00
`,
    missing: ['vendorTaxId'],
    fields: { documentNumber: '5C10-0044', total: 80 },
  },
  {
    name: 'the day on which payment is due, though it is the only one',
    text: `
Hillside Gardening
Invoice no. 3390
Due date: 12/07/2024
Hedge cutting   £85.00
Total           £85.00
`,
    missing: ['date'],
    fields: { documentNumber: '3390', total: 85 },
  },
  {
    name: 'half of a number in groups',
    text: `
Kabelnetz Ostsee GmbH
Rechnungsnummer: 518 204 7736
Rechnungsdatum: 05.04.2024
Internet          33,61 €
19 % MwSt.         6,39 €
Rechnungsbetrag   40,00 €
`,
    missing: [],
    fields: { documentNumber: '5182047736', date: '2024-04-05', total: 40 },
  },
  {
    name: 'a total in the currency of the card',
    text: `
Gasthaus Rössli
Bahnhofstrasse 3, 9000 St. Gallen
Beleg Nr. 8812   03.02.2024
Menü 1        CHF 28.00
Menü 2        CHF 36.00
Total         CHF 64.00
Kurs 1 CHF = 1.0600 EUR
Total         EUR 67.84
`,
    missing: [],
    fields: { currency: 'CHF', total: 64 },
  },
  {
    name: 'a currency of the country where the customer lives',
    text: `
Pinecone Apps Inc.
12 Alder St, Portland, OR 97204
Invoice 7731   Date: Apr 9, 2024
Bill to: Orchid Retail Pte Ltd, Singapore 049315
Plan      $40.00
Total     $40.00
`,
    missing: [],
    fields: { currency: 'USD', total: 40 },
  },
];

describe('similar data', () => {
  it.each(REFUSALS)('is not used: $name', ({ text, missing, fields }) => {
    const found = read(text);
    for (const field of missing) expect(found).not.toHaveProperty(field);
    expect(found).toMatchObject(fields);
  });
});

describe('a block for the customer', () => {
  it('ends at the title of the document', () => {
    const { vendorName } = read(`
לכבוד
גלריה צפון
חשבונית מס 5512
סטודיו רון צילום בע"מ
ח.פ 514286095
תאריך 08/09/2024
סה"כ לתשלום 3,627.00
`);
    expect(vendorName).toBe('סטודיו רון צילום בע"מ');
  });
});
