import { Draw, seedOf } from './draw';
import { LOCALES, type Locale } from './locales';
import type { Language } from './wordings/languages';
import { taxNumber } from './tax-numbers';

export interface Business {
  /** The name with its legal form. */
  readonly name: string;
  /** The name on the sign, which may be another one. */
  readonly brand: string;
  readonly locale: Locale;
  readonly taxId: string;
  readonly street: string;
  readonly city: string;
  readonly phone: string;
  readonly email: string;
  readonly web: string;
  readonly iban: string;
}

interface Names {
  /** Names with their spelling in Latin letters, if they have other letters. */
  readonly cores: readonly string[];
  /** "#" stands for the name. */
  readonly trades: readonly string[];
  readonly people: readonly string[];
}

const NAMES: Readonly<Record<Language, Names>> = {
  he: {
    cores:
      'אלון|alon ברקת|bareket גלעד|gilad דקל|dekel הדס|hadas ורדית|vardit זמיר|zamir חרמון|hermon טללים|tlalim יובלים|yuvalim כרמית|carmit לביא|lavi מרום|marom נרקיס|narkis סביון|savyon ענבר|inbar פסגות|psagot צוקים|tzukim קורל|coral רותם|rotem שחף|shahaf תבור|tavor אגם|agam ברוש|brosh גפן|gefen'.split(
        ' ',
      ),
    trades: [
      '# שיווק',
      'מאפיית #',
      'קפה #',
      '# מחשבים',
      '# בניה והשקעות',
      'מסעדת #',
      '# ייעוץ עסקי',
      'מוסך #',
      '# דפוס',
      'פרחי #',
      '# אנרגיה',
      'נגריית #',
    ],
    people: ['דנה לוי', 'יוסי כהן', 'מיכל ברק', 'אורי שמש', 'רונית גולן', 'עמית פרידמן', 'נועה אשכנזי'],
  },
  en: {
    cores:
      'Ashford Brindle Calder Dunmore Ellery Farrow Gresham Harland Ivybridge Kestrel Larkhill Marlow Norwood Oakhurst Penrose Quarrier Redfern Stanmore Thornbury Underwood Vexley Westlake Yarrow Briarfield Copperhill'.split(
        ' ',
      ),
    trades: [
      '# Stationery',
      '# & Sons',
      'The # Bakery',
      '# Consulting',
      '# Garden Supplies',
      'Cafe #',
      '# Motors',
      '# Print Works',
      '# Hardware',
      '# Studios',
      '# Catering',
      '# Energy',
    ],
    people: ['Joan Pike', 'Omar Reid', 'Priya Nair', 'Ben Tate', 'Claire Dunn', 'Tom Avery', 'Grace Okoro'],
  },
  de: {
    cores:
      'Ahrens Brandt Carstens Dittmar Eberle Falkner Grabow Hartung Imhof Jessen Kröger Lindner Mertens Nagel Oswald Pohlmann Quast Reuter Sandner Thiele'.split(
        ' ',
      ),
    trades: [
      '# Bürobedarf',
      'Bäckerei #',
      '# Elektrotechnik',
      'Gasthaus #',
      '# Gartenbau',
      'Autohaus #',
      '# Softwarehaus',
      'Druckerei #',
      'Tischlerei #',
      '# & Partner',
    ],
    people: ['Ilse Kramer', 'Paul Voss', 'Jana Beck', 'Uwe Lorenz', 'Katrin Sommer'],
  },
  fr: {
    cores:
      'Aubert Bonnard Charpin Delmas Estève Faure Garnier Huet Jourdan Lacombe Mercier Noiret Odin Perrot Rivière Salmon Tissier Vasseur'.split(
        ' ',
      ),
    trades: [
      '# Bureautique',
      'Boulangerie #',
      '# Conseil',
      'Café #',
      'Garage #',
      'Imprimerie #',
      'Jardins #',
      '# et Fils',
      'Menuiserie #',
    ],
    people: ['Luc Moreau', 'Anne Petit', 'Hugo Blanc', 'Chloé Roux', 'Marc Leroy'],
  },
  nl: {
    cores:
      'Aalbers Bakhuis Cuypers Dekker Elzinga Faber Geerts Hofstra Jansma Kuiper Lammers Mulder Nijland Oosting Postma Rietveld'.split(
        ' ',
      ),
    trades: [
      '# Kantoor',
      'Bakkerij #',
      '# Advies',
      'Eetcafé #',
      'Garage #',
      'Drukkerij #',
      '# Hoveniers',
      '# Techniek',
    ],
    people: ['Sanne Visser', 'Daan Bos', 'Lotte Vink', 'Piet Smit', 'Eva Meijer'],
  },
  es: {
    cores:
      'Alvar Benítez Castell Duero Escudero Fontana Garrido Herrán Iriarte Jarama Lozano Montalbán Narváez Olmedo Paredes Quirós'.split(
        ' ',
      ),
    trades: [
      'Papelería #',
      'Panadería #',
      '# Consultores',
      'Cafetería #',
      'Talleres #',
      'Imprenta #',
      'Jardinería #',
      'Hermanos #',
    ],
    people: ['Ana Ruiz', 'Luis Vega', 'Carmen Soto', 'Pablo Gil', 'Elena Mora'],
  },
  it: {
    cores:
      'Albani Bertoli Caruso Donati Esposito Fabbri Gallo Lombardi Marini Neri Orlandi Pellegri Rinaldi Santoro Tedesco Valenti'.split(
        ' ',
      ),
    trades: [
      'Cartoleria #',
      'Panificio #',
      '# Consulenze',
      'Bar #',
      'Officina #',
      'Tipografia #',
      'Vivai #',
      'Fratelli #',
    ],
    people: ['Marco Conti', 'Giulia Riva', 'Paolo Serra', 'Sara Greco', 'Luca Testa'],
  },
};

/** The number of invented vendors of each language; 290 in all. */
export const VENDORS: Readonly<Record<Language, number>> = {
  he: 64,
  en: 64,
  de: 40,
  fr: 36,
  nl: 28,
  es: 28,
  it: 30,
};

const plain = (text: string): string =>
  text
    .normalize('NFD')
    .replace(/[^\p{L}\d]/gu, '')
    .toLowerCase();

/** Returns the vendor with this number, which is below `VENDORS`. */
export function vendorOf(language: Language, index: number): Business {
  const { cores, trades } = NAMES[language];
  const draw = new Draw(seedOf(`vendor ${language} ${index}`));
  const [core = '', latin = ''] = (cores[index % cores.length] ?? '').split('|');
  const trade = trades[(index * 7 + Math.floor(index / cores.length)) % trades.length] ?? '#';
  return named(trade.replace('#', core), latin || core, draw.one(LOCALES[language]), draw);
}

function named(brand: string, short: string, locale: Locale, draw: Draw): Business {
  const hebrew = locale.country === 'IL';
  const form = draw.one(locale.legalForms);
  const kept = draw.chance(0.85) ? brand : short;
  const host = `${plain(draw.chance(0.5) ? short : hebrew ? `${short}group` : brand)}.${locale.domain}`;
  return {
    name: form === '' ? brand : `${brand} ${form}`,
    brand:
      hebrew && draw.chance(0.15) ? `${short.toUpperCase()} ${draw.one(['GROUP', 'DESIGN', 'FOODS'])}` : kept,
    locale,
    taxId: taxNumber(locale.country, draw),
    street: draw.one(locale.streets).replace('#', String(draw.whole(2, 180))),
    city: draw.one(locale.cities),
    phone: `${locale.dial}${draw.digits(2)}-${draw.digits(7)}`,
    email: `${draw.one(['info', 'office', 'mail', 'accounts', 'hello'])}@${host}`,
    web: `www.${host}`,
    iban: `${locale.country}${draw.digits(2)} ${draw.digits(4)} ${draw.digits(4)} ${draw.digits(4)} ${draw.digits(2)}`,
  };
}

/** The share of customers that live in the vendor's country. */
const DOMESTIC = 0.9;

/** Returns a customer of a vendor in the given country: a business that is no vendor, or a person. */
export function customerOf(language: Language, locale: Locale, draw: Draw): Business {
  const { cores, trades, people } = NAMES[language];
  const [one = ''] = draw.one(cores).split('|');
  const [other = ''] = draw.one(cores).split('|');
  const own = draw.chance(DOMESTIC) ? locale : draw.one(LOCALES[language]);
  const business = named(draw.one(trades).replace('#', `${one} ${other}`), other, own, draw);
  return draw.chance(0.3) ? { ...business, name: draw.one(people) } : business;
}
