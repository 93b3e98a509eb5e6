import type { Country } from './tax-numbers';
import type { Language } from './wordings/languages';

/** How a country writes names and figures, and taxes. */
export interface Locale {
  readonly country: Country;
  readonly name: string;
  readonly currency: string;
  /** Signs and codes with which the currency is printed. */
  readonly signs: readonly string[];
  readonly signFirst: boolean;
  /** The separator of thousands and the decimal mark. */
  readonly separators: readonly (readonly [string, string])[];
  /** Tax rates in percent; the first is the normal one. */
  readonly rates: readonly number[];
  /** The name of the tax, if it is not the language's word. */
  readonly taxWord?: string;
  /** Names of the tax number, if they are not the language's words. */
  readonly taxIdLabels?: readonly string[];
  readonly legalForms: readonly string[];
  readonly dial: string;
  readonly domain: string;
  readonly cities: readonly string[];
  readonly streets: readonly string[];
}

const EURO = { currency: 'EUR', signs: ['€', 'EUR'], signFirst: false };
const COMMA = [['.', ',']] as const;
const POINT = [[',', '.']] as const;

const GERMANY: Locale = {
  ...EURO,
  country: 'DE',
  name: 'Deutschland',
  separators: COMMA,
  rates: [19, 7],
  legalForms: ['GmbH', 'GmbH & Co. KG', 'e.K.', 'KG', 'UG (haftungsbeschränkt)', 'OHG', 'AG'],
  dial: '0',
  domain: 'de',
  cities: ['50667 Köln', '80331 München', '20095 Hamburg', '04109 Leipzig', '79098 Freiburg', '24103 Kiel'],
  streets: [
    'Lindenstr. #',
    'Am Markt #',
    'Hauptstraße #',
    'Gartenweg #',
    'Bahnhofstraße #',
    'Schillerplatz #',
  ],
};

const BRITAIN: Locale = {
  country: 'GB',
  name: 'United Kingdom',
  currency: 'GBP',
  signs: ['£', 'GBP'],
  signFirst: true,
  separators: POINT,
  rates: [20, 5],
  legalForms: ['Ltd', 'Limited', 'LLP', 'Ltd.', 'plc'],
  dial: '01',
  domain: 'co.uk',
  cities: [
    'Leeds LS1 4AP',
    'Bristol BS1 5TR',
    'York YO1 7HH',
    'Norwich NR2 1AA',
    'London SE1 9GF',
    'Exeter EX4 3QS',
  ],
  streets: [
    '# High Street',
    '# Mill Lane',
    '# Station Road',
    'Unit #, Dock Estate',
    '# Castle Row',
    '# Park Avenue',
  ],
};

const FRANCE: Locale = {
  ...EURO,
  country: 'FR',
  name: 'France',
  separators: [
    [' ', ','],
    ['\u00a0', ','],
  ],
  rates: [20, 10, 5.5],
  legalForms: ['SARL', 'SAS', 'EURL', 'SA', 'SASU'],
  dial: '0',
  domain: 'fr',
  cities: ['69002 Lyon', '33000 Bordeaux', '44000 Nantes', '75011 Paris', '59800 Lille', '67000 Strasbourg'],
  streets: [
    '# rue des Lilas',
    '# avenue Foch',
    '# place du Marché',
    '# bd Victor Hugo',
    '# chemin Vert',
    '# quai Sud',
  ],
};

export const LOCALES: Readonly<Record<Language, readonly Locale[]>> = {
  he: [
    {
      country: 'IL',
      name: 'ישראל',
      currency: 'ILS',
      signs: ['₪', 'ש"ח', '₪'],
      signFirst: false,
      separators: POINT,
      rates: [18, 17],
      legalForms: ['בע"מ', 'בע"מ', 'בע״מ', '', "ושות'"],
      dial: '0',
      domain: 'co.il',
      cities: ['תל אביב', 'חיפה', 'ירושלים', 'באר שבע', 'רמת גן', 'נתניה', 'רחובות'],
      streets: ['רחוב הרצל #', 'שדרות בן גוריון #', "רח' ויצמן #", 'דרך יפו #', 'הברזל #', 'רחוב הגפן #'],
    },
  ],
  en: [
    BRITAIN,
    {
      country: 'US',
      name: 'USA',
      currency: 'USD',
      signs: ['$', '$', 'USD'],
      signFirst: true,
      separators: POINT,
      rates: [8, 6, 7],
      taxWord: 'Sales tax',
      taxIdLabels: ['EIN', 'Federal Tax ID', 'Tax ID'],
      legalForms: ['Inc.', 'LLC', 'Corp.', 'Co.', 'Inc'],
      dial: '(555) ',
      domain: 'com',
      cities: [
        'Portland, OR 97205',
        'Austin, TX 78701',
        'Denver, CO 80202',
        'Salem, MA 01970',
        'Boise, ID 83702',
      ],
      streets: ['# Main Street', '# Oak Avenue', '# 5th Ave, Suite 3', '# Harbor Blvd', '# Elm St'],
    },
    BRITAIN,
    {
      ...EURO,
      country: 'IE',
      name: 'Ireland',
      signFirst: true,
      separators: POINT,
      rates: [23, 13.5],
      legalForms: ['Ltd', 'Limited', 'DAC', 'Teoranta'],
      dial: '01 ',
      domain: 'ie',
      cities: ['Dublin 2', 'Cork T12 X8', 'Galway H91', 'Limerick V94'],
      streets: ['# Main Street', '# Quay Lane', '# Church Road', '# Bridge Street'],
    },
    {
      country: 'AU',
      name: 'Australia',
      currency: 'AUD',
      signs: ['$', 'AUD', 'A$'],
      signFirst: true,
      separators: POINT,
      rates: [10],
      taxWord: 'GST',
      taxIdLabels: ['ABN', 'ABN', 'A.B.N.'],
      legalForms: ['Pty Ltd', 'Pty Ltd', 'Pty. Ltd.'],
      dial: '02 ',
      domain: 'com.au',
      cities: ['Sydney NSW 2000', 'Hobart TAS 7000', 'Perth WA 6000', 'Geelong VIC 3220'],
      streets: ['# George Street', '# Beach Road', '# Wattle Drive', '# Kent St'],
    },
  ],
  de: [
    GERMANY,
    GERMANY,
    {
      ...EURO,
      country: 'AT',
      name: 'Österreich',
      signFirst: true,
      separators: COMMA,
      rates: [20, 10, 13],
      taxIdLabels: ['UID-Nr.', 'UID', 'ATU-Nr.'],
      legalForms: ['GmbH', 'e.U.', 'KG', 'OG', 'Ges.m.b.H.'],
      dial: '0',
      domain: 'at',
      cities: ['1070 Wien', '8010 Graz', '5020 Salzburg', '6020 Innsbruck'],
      streets: ['Lindengasse #', 'Hauptplatz #', 'Getreidegasse #', 'Wiener Straße #'],
    },
  ],
  fr: [
    FRANCE,
    FRANCE,
    {
      ...EURO,
      country: 'BE',
      name: 'Belgique',
      separators: COMMA,
      rates: [21, 6, 12],
      legalForms: ['SRL', 'SA', 'SPRL', 'SC'],
      dial: '02 ',
      domain: 'be',
      cities: ['1000 Bruxelles', '4000 Liège', '5000 Namur', '7000 Mons'],
      streets: ['rue Neuve #', 'avenue Louise #', 'chaussée de Wavre #', 'place Verte #'],
    },
  ],
  nl: [
    {
      ...EURO,
      country: 'NL',
      name: 'Nederland',
      signFirst: true,
      separators: COMMA,
      rates: [21, 9],
      legalForms: ['B.V.', 'BV', 'VOF', 'N.V.', ''],
      dial: '0',
      domain: 'nl',
      cities: [
        '1012 AB Amsterdam',
        '3511 CD Utrecht',
        '9711 EF Groningen',
        '5611 GH Eindhoven',
        '6511 JK Nijmegen',
      ],
      streets: ['Dorpsstraat #', 'Kerklaan #', 'Havenkade #', 'Molenweg #', 'Stationsplein #'],
    },
  ],
  es: [
    {
      ...EURO,
      country: 'ES',
      name: 'España',
      separators: COMMA,
      rates: [21, 10, 4],
      legalForms: ['S.L.', 'S.A.', 'SL', 'S.L.U.', 'S. Coop.'],
      dial: '9',
      domain: 'es',
      cities: ['28013 Madrid', '08002 Barcelona', '41001 Sevilla', '46002 Valencia', '48001 Bilbao'],
      streets: [
        'Calle Mayor, #',
        'C/ del Sol, #',
        'Avda. de la Paz, #',
        'Plaza Nueva, #',
        'Paseo Marítimo, #',
      ],
    },
  ],
  it: [
    {
      ...EURO,
      country: 'IT',
      name: 'Italia',
      signFirst: true,
      separators: COMMA,
      rates: [22, 10, 4],
      legalForms: ['S.r.l.', 'S.p.A.', 'SRL', 'S.n.c.', 's.a.s.'],
      dial: '0',
      domain: 'it',
      cities: ['20121 Milano MI', '00184 Roma RM', '10121 Torino TO', '50123 Firenze FI', '40121 Bologna BO'],
      streets: [
        'Via Garibaldi, #',
        'Corso Italia, #',
        'Piazza Dante, #',
        'Viale dei Tigli, #',
        'Via del Porto, #',
      ],
    },
  ],
};
