/** A text in both languages. */
export interface Bilingual {
  readonly he: string;
  readonly en: string;
}

export type Language = keyof Bilingual;

export const PLACES: readonly Bilingual[] = [
  { he: 'הכרמל', en: 'Carmel' },
  { he: 'הגלבוע', en: 'Gilboa' },
  { he: 'השרון', en: 'Sharon' },
  { he: 'הירקון', en: 'Yarkon' },
  { he: 'תבור', en: 'Tabor' },
  { he: 'הנגב', en: 'Negev' },
  { he: 'הבשור', en: 'Besor' },
  { he: 'השפלה', en: 'Lowland' },
  { he: 'ארבל', en: 'Arbel' },
  { he: 'הערבה', en: 'Arava' },
];

export const CITIES: readonly Bilingual[] = [
  { he: 'חיפה', en: 'Haifa' },
  { he: 'תל אביב-יפו', en: 'Tel Aviv-Yafo' },
  { he: 'ירושלים', en: 'Jerusalem' },
  { he: 'באר שבע', en: "Be'er Sheva" },
  { he: 'נתניה', en: 'Netanya' },
  { he: 'רחובות', en: 'Rehovot' },
];

export const STREETS: readonly Bilingual[] = [
  { he: 'הרצל', en: 'Herzl Street' },
  { he: 'ויצמן', en: 'Weizmann Street' },
  { he: 'האורגים', en: 'HaOrgim Street' },
  { he: 'המסגר', en: 'HaMasger Street' },
  { he: 'שדרות ירושלים', en: 'Jerusalem Boulevard' },
];

export const PEOPLE: readonly { readonly first: Bilingual; readonly last: Bilingual }[] = [
  { first: { he: 'דנה', en: 'Dana' }, last: { he: 'אלמוג', en: 'Almog' } },
  { first: { he: 'יואב', en: 'Yoav' }, last: { he: 'רימון', en: 'Rimon' } },
  { first: { he: 'מיכל', en: 'Michal' }, last: { he: 'שקד', en: 'Shaked' } },
  { first: { he: 'עומר', en: 'Omer' }, last: { he: 'ברקת', en: 'Bareket' } },
  { first: { he: 'נועה', en: 'Noa' }, last: { he: 'תמיר', en: 'Tamir' } },
  { first: { he: 'איתי', en: 'Itai' }, last: { he: 'גפן', en: 'Gefen' } },
];

/** A kind of supplier, with its usual sales. */
export interface Trade {
  /** `{place}` is replaced. */
  readonly name: Bilingual;
  readonly sales: readonly (Bilingual & { readonly least: number; readonly most: number })[];
  /** Percent of the VAT that may be reclaimed. */
  readonly deductiblePercent: number;
  /** Its sales are products that the company sells on. */
  readonly isWholesale: boolean;
}

const trade = (
  name: Bilingual,
  sales: Trade['sales'],
  { deductiblePercent = 100, isWholesale = false } = {},
): Trade => ({ name, sales, deductiblePercent, isWholesale });

export const TRADES: readonly Trade[] = [
  trade(
    { he: 'ציוד משרדי {place} בע"מ', en: '{place} Office Supplies Ltd' },
    [
      { he: 'נייר ומעטפות', en: 'Paper and envelopes', least: 120, most: 900 },
      { he: 'מחסניות דיו', en: 'Ink cartridges', least: 180, most: 1_400 },
    ],
    { isWholesale: true },
  ),
  trade({ he: 'דפוס {place} בע"מ', en: '{place} Printing Ltd' }, [
    { he: 'כרטיסי ביקור', en: 'Business cards', least: 150, most: 600 },
    { he: 'קטלוגים', en: 'Catalogues', least: 900, most: 4_200 },
  ]),
  trade(
    { he: 'ריהוט {place} בע"מ', en: '{place} Furniture Ltd' },
    [
      { he: 'כיסאות משרד', en: 'Office chairs', least: 450, most: 2_800 },
      { he: 'ארונות תיוק', en: 'Filing cabinets', least: 700, most: 3_500 },
    ],
    { isWholesale: true },
  ),
  trade(
    { he: 'תחנת דלק {place}', en: '{place} Fuel Station' },
    [{ he: 'בנזין 95', en: 'Petrol 95', least: 120, most: 420 }],
    { deductiblePercent: 67 },
  ),
  trade(
    { he: 'מאפיית {place}', en: '{place} Bakery' },
    [{ he: 'כיבוד לישיבה', en: 'Refreshments for a meeting', least: 40, most: 380 }],
    { deductiblePercent: 0 },
  ),
  trade({ he: 'שליחויות {place} בע"מ', en: '{place} Couriers Ltd' }, [
    { he: 'משלוחים', en: 'Deliveries', least: 60, most: 700 },
  ]),
  trade({ he: 'ניקיון {place} בע"מ', en: '{place} Cleaning Ltd' }, [
    { he: 'שירותי ניקיון', en: 'Office cleaning', least: 600, most: 1_800 },
  ]),
];

/** Suppliers abroad: without VAT, in their own currency. */
export const FOREIGN_TRADE: Trade = trade(
  { he: '{place} Cloud Hosting Ltd', en: '{place} Cloud Hosting Ltd' },
  [
    { he: 'Server hosting', en: 'Server hosting', least: 40, most: 260 },
    { he: 'Software licences', en: 'Software licences', least: 25, most: 480 },
  ],
);

export const CLIENT_TRADES: readonly Bilingual[] = [
  { he: 'אדריכלות {place} בע"מ', en: '{place} Architects Ltd' },
  { he: 'מרפאת שיניים {place}', en: '{place} Dental Clinic' },
  { he: 'סטודיו {place} לעיצוב', en: '{place} Design Studio' },
  { he: 'משרד עורכי דין {place}', en: '{place} Law Office' },
  { he: 'בית ספר {place} למוזיקה', en: '{place} School of Music' },
  { he: 'מסעדת {place} בע"מ', en: '{place} Restaurant Ltd' },
  { he: 'חברת {place} לבנייה בע"מ', en: '{place} Construction Ltd' },
];

export interface NamedGoods extends Bilingual {
  readonly unit: Bilingual;
  /** In shekels. */
  readonly buyingPrice: number;
}

const box = { he: 'קופסה', en: 'box' };
const piece = { he: 'יחידה', en: 'piece' };

export const GOODS: readonly NamedGoods[] = [
  { he: 'נייר צילום A4', en: 'Copy paper A4', unit: box, buyingPrice: 62 },
  { he: 'עטים כחולים', en: 'Blue pens', unit: box, buyingPrice: 18 },
  { he: 'קלסר', en: 'Ring binder', unit: piece, buyingPrice: 9 },
  { he: 'מחברת שורות', en: 'Lined notebook', unit: piece, buyingPrice: 6 },
  { he: 'כיסא משרדי', en: 'Office chair', unit: piece, buyingPrice: 340 },
  { he: 'שולחן כתיבה', en: 'Desk', unit: piece, buyingPrice: 620 },
  { he: 'מנורת שולחן', en: 'Desk lamp', unit: piece, buyingPrice: 75 },
  { he: 'לוח מחיק', en: 'Whiteboard', unit: piece, buyingPrice: 130 },
  { he: 'מגרסת נייר', en: 'Paper shredder', unit: piece, buyingPrice: 210 },
  { he: 'ארון תיוק', en: 'Filing cabinet', unit: piece, buyingPrice: 480 },
  { he: 'מעטפות', en: 'Envelopes', unit: box, buyingPrice: 24 },
  { he: 'טונר למדפסת', en: 'Printer toner', unit: piece, buyingPrice: 190 },
];

/** The names of goods are repeated with these, in this order. */
export const VARIANTS: readonly Bilingual[] = [
  { he: '', en: '' },
  { he: 'שחור', en: 'black' },
  { he: 'לבן', en: 'white' },
  { he: 'גדול', en: 'large' },
  { he: 'קטן', en: 'small' },
  { he: 'מתקפל', en: 'folding' },
  { he: 'ממוחזר', en: 'recycled' },
];

/** The company's own work, by the hour. */
export const SERVICES: readonly (Bilingual & { readonly hourlyRate: number })[] = [
  { he: 'ייעוץ', en: 'Consulting', hourlyRate: 280 },
  { he: 'הרכבה והתקנה', en: 'Assembly and installation', hourlyRate: 160 },
  { he: 'הדרכה', en: 'Training', hourlyRate: 240 },
];

export const SUPPORT: Bilingual = { he: 'תחזוקה חודשית', en: 'Monthly support' };
