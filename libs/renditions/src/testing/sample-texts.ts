import type { PrintableIssuer, PrintableRecipient } from '../application/ports/printable-document';
import type { NewItem } from './computed-document';

/** Hebrew with Latin, digits, punctuation, currency signs, percents, parentheses and dates, as people type it. */
export const MIXED_HEBREW = [
  'מקלדת Logitech MX Keys S (דגם 920-011588) – אחריות 24 חודשים',
  'הנחה של 12.5% על הזמנה מעל ₪1,500 (עד 31/12/2026)',
  'כבל USB-C ‏2 מ׳, ‎100W, שחור/לבן',
  'שירותי ייעוץ, 01/10/2026–31/10/2026, לפי 3.5 שעות × ₪420.00',
  'רישיון Microsoft 365 E3 (שנתי), 10 משתמשים @ $36.00',
  'משלוח עד הבית: רח׳ הרצל 14/3, ת״א 6688312, טל׳ 03-555-0142',
  'תיקון "דחוף" – חלק מס׳ A-17/b (SKU: 00-4471-X)',
  'דמי מנוי [Pro] {2026}, מע״מ 18%; ראו https://cedar.example/he?x=1&y=2',
];

export const MIXED_ENGLISH = [
  'Translation of the brochure "בית בגליל" (Hebrew to English), 12 pp.',
  'Discount of 12.5% on orders over ₪1,500 (until 2026-12-31)',
  'Shelf, oak, 90 × 30 cm, "Cedar" series (No. A-17/b)',
  'حبر أسود for the printer, Αθήνα edition, Москва stock',
  'Naïve façade consulting – 3.5 h @ €95.00/h [Pro] {2026}',
];

export const SYMBOLS = '✓ ✔ ✗ ☐ ☑ ★ ☆ ● ○ ■ □ ◆ ☎ ♥ ⚠ → ← ↑ ↓ ⇒ ≤ ≥ ≠ ∞ ∑ ฿ ข้าวผัด';

export const HEBREW_ISSUER: Partial<PrintableIssuer> = {
  name: 'נגריית הארז',
  legalName: 'נגריית הארז (1998) בע״מ',
  taxId: '514123456',
  addressLines: ['רחוב הנמל 12/4', 'חיפה 3303112'],
  phone: '04-555-0142',
  email: 'billing@cedar.example',
  website: 'https://cedar.example',
  bankAccounts: [
    { label: 'בנק לאומי (10), סניף 800', value: '12-345678/90' },
    { label: 'IBAN', value: 'IL62 0108 0000 0009 9999 999' },
  ],
  footer: 'תודה על הקנייה! שאלות? billing@cedar.example או 04-555-0142 (א׳–ה׳, 9:00–17:00)',
};

export const HEBREW_RECIPIENT: PrintableRecipient = {
  name: 'ספרי הפנס הכחול בע״מ',
  taxId: '520000472',
  addressLines: ['סמטת הזית 7, דירה 3', 'תל אביב–יפו 6436101'],
};

export const MIXED_RECIPIENT: PrintableRecipient = {
  name: 'Blue Lantern – ספרי הפנס (Tel Aviv) Ltd.',
  taxId: 'IL520000472',
  addressLines: ['7 Olive Lane, סמטת הזית', 'Tel Aviv 6436101, ישראל'],
};

export const HEBREW_NOTES = [
  'נא לשלם עד 22/12/2026 בהעברה לחשבון 12-345678/90 (לאומי).',
  'Please quote PO-7781. תודה!',
  'ריבית פיגורים: 4.5% לשנה + ₪25.00; מטבע: ₪ / $ / €.',
].join('\n');

/** Some kilobytes, all different. */
export function manyLines(count: number, descriptions: readonly string[]): NewItem[] {
  return Array.from({ length: count }, (_, at): NewItem => {
    const description = `${at + 1}. ${descriptions[at % descriptions.length] ?? ''}`;
    return {
      description,
      quantity: 1 + ((at * 7) % 13),
      unitPrice: 10.5 + ((at * 37) % 900),
      discountPercent: at % 5 === 0 ? 7.5 : 0,
      vatRate: at % 11 === 0 ? 0 : 18,
    };
  });
}

export const manyPayments = (count: number) =>
  Array.from({ length: count }, (_, at) => ({
    ...{ method: 'CHECK' as const, amount: 10, date: '2026-11-29', note: `צ׳ק ${at + 1}, בנק 12` },
  }));

export const LONG_WORD =
  'https://cedar.example/a/very/long/address/without/any/place/to/break?with=parameters&and=more#anchor';
