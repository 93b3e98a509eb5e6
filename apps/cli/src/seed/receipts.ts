import { eInvoice } from './e-invoice';
import { escaped } from './markup';
import { textOf } from './money';
import type { ReceiptForm } from './parties';
import { pdfOfLines } from './pdf-of-lines';
import type { ReceiptDetails } from './receipt-details';

export interface ReceiptFile {
  readonly fileName: string;
  readonly bytes: Uint8Array<ArrayBuffer>;
}

const bytesOf = (text: string): Uint8Array<ArrayBuffer> => new TextEncoder().encode(text);

const WRITERS: Readonly<
  Record<ReceiptForm, { extension: string; write: (details: ReceiptDetails) => Uint8Array<ArrayBuffer> }>
> = {
  html: { extension: 'html', write: (details) => bytesOf(htmlOf(details)) },
  text: { extension: 'txt', write: (details) => bytesOf(textLinesOf(details).join('\n') + '\n') },
  pdf: { extension: 'pdf', write: (details) => pdfOfLines(textLinesOf(details)) },
  'e-invoice': { extension: 'xml', write: (details) => bytesOf(eInvoice(details)) },
};

/** Writes the receipt in the form that the vendor uses. Equal details give equal bytes. */
export function receiptOf(details: ReceiptDetails): ReceiptFile {
  const { name, receipts } = details.vendor;
  const { extension, write } = WRITERS[receipts];
  return { fileName: `${details.day}-${name}-${details.number}.${extension}`, bytes: write(details) };
}

const WORDS = {
  he: {
    taxId: { company: 'ח.פ.', dealer: 'ע.מ.' },
    title: { taxed: 'חשבונית מס קבלה', untaxed: 'קבלה' },
    ...{ number: "מס'", date: 'תאריך', net: 'סה"כ לפני מע"מ', tax: 'מע"מ', total: 'סה"כ לתשלום' },
    ...{ item: 'תיאור', amount: 'סכום' },
  },
  en: {
    taxId: { company: 'Company no.', dealer: 'Dealer no.' },
    title: { taxed: 'Tax invoice / receipt', untaxed: 'Receipt' },
    ...{ number: 'No.', date: 'Date', net: 'Subtotal', tax: 'VAT', total: 'Total' },
    ...{ item: 'Description', amount: 'Amount' },
  },
} as const;

/** All texts of a receipt, in its language. */
function textsOf({ vendor, number, day, lines, net, tax, vatRate, currency }: ReceiptDetails) {
  const words = WORDS[vendor.language];
  const { houseNumber, street, city } = vendor.address;
  const taxIdWord = words.taxId[vendor.body.type === 'COMPANY' ? 'company' : 'dealer'];
  return {
    vendorName: vendor.body.name,
    address: `${street} ${houseNumber ?? ''}, ${city}`,
    taxId: `${taxIdWord} ${vendor.body.taxId}`,
    title: `${words.title[vendor.isTaxed ? 'taxed' : 'untaxed']} ${words.number} ${number}`,
    date: `${words.date}: ${day.split('-').reverse().join('/')}`,
    head: [words.item, words.amount] as const,
    rows: lines.map((line) => [line.text, textOf(line.net)] as const),
    sums: [
      ...(vendor.isTaxed
        ? [[words.net, textOf(net)] as const, [`${words.tax} ${vatRate}%`, textOf(tax)] as const]
        : []),
      [
        words.total,
        currency === 'ILS' && vendor.language === 'he'
          ? `₪ ${textOf(net + tax)}`
          : `${textOf(net + tax)} ${currency}`,
      ] as const,
    ],
  };
}

function textLinesOf(details: ReceiptDetails): string[] {
  const { vendorName, address, taxId, title, date, rows, sums } = textsOf(details);
  const columns = (all: readonly (readonly [string, string])[]) =>
    all.map(([label, amount]) => `${label}   ${amount}`);
  const rule = '--------';
  return [vendorName, address, taxId, title, date, rule, ...columns(rows), rule, ...columns(sums)];
}

function htmlOf(details: ReceiptDetails): string {
  const { vendorName, address, taxId, title, date, head, rows, sums } = textsOf(details);
  const { language } = details.vendor;
  const row = ([label, amount]: readonly [string, string]) =>
    `<tr><td>${escaped(label)}</td><td>${escaped(amount)}</td></tr>`;
  return [
    `<!doctype html>`,
    `<html lang="${language}" dir="${language === 'he' ? 'rtl' : 'ltr'}"><head><meta charset="utf-8">`,
    `<title>${escaped(title)}</title><style>table{width:100%}td+td{text-align:end}</style></head><body>`,
    `<h1>${escaped(vendorName)}</h1><div>${escaped(address)}</div><div>${escaped(taxId)}</div>`,
    `<h2>${escaped(title)}</h2><div>${escaped(date)}</div>`,
    `<table>${[head, ...rows].map(row).join('')}</table>`,
    `<table>${sums.map(row).join('')}</table>`,
    `</body></html>`,
    '',
  ].join('\n');
}
