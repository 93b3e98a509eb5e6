/** Returns a unique receipt as plain text. */
export const textReceipt = (number: number): string =>
  [
    'CORNER STATIONERY LTD',
    'VAT No: GB 999 9999 73',
    `Invoice No: INV-${number}`,
    'Date: 12/03/2026',
    'Paper A4                 100.00',
    'VAT 20%                   20.00',
    'Total GBP                120.00',
    '',
  ].join('\n');
