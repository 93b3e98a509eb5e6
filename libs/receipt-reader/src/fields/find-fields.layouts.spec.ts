import { describeFieldsOf } from '../testing/fields-of';

describeFieldsOf([
  {
    name: 'a Hebrew invoice whose sender stands at the foot, in columns, below a customer without a label',
    text: `
חשבונית מס
השירות שלנו, השקט שלכם
הופק בתאריך: 08/04/2025              מסגריית אורן כהן בע"מ
מספר לקוח: 17953                     הברזל 17
מס' חשבונית: A-1127                  נתניה

פריט                 כמות         סכום
נורת לד                10      1,924.90
ברגים לעץ               1        175.10

סה"כ חייב במע"מ                2,100.00
מע"מ 18%                         378.00
סה"כ חשבונית                   2,478.00

דולב אנרגיה בע"מ    טל: 073-6484861              ח.פ. 551384050
רחוב הגפן 170       מייל: office@dolev.co.il     חשבון בנק: 12-345-678901
רחובות              www.dolev.co.il
`,
    fields: {
      vendorName: 'דולב אנרגיה בע"מ',
      vendorTaxId: '551384050',
      documentNumber: 'A-1127',
      date: '2025-04-08',
      currency: 'ILS',
      total: 2478,
      tax: 378,
    },
  },
  {
    name: 'a Hebrew invoice whose heads stand in a table over their values',
    text: `
חשבונית מס / קבלה
סטודיו רון צילום ועריכה
עוסק מורשה מס' 301234563
הנביאים 33, ירושלים | 02-6251188

מספר מסמך    תאריך         תנאי תשלום
5512         08/09/2024    מזומן

לכבוד
גלריה צפון
הגפן 4, חיפה

תיאור             כמות   מחיר ליחידה   סכום
צילום אירוע         1      2,400.00    2,400.00
אלבום מודפס         2        350.00      700.00

סה"כ ללא מע"מ      3,100.00
סה"כ מע"מ 17%        527.00
סה"כ כולל מע"מ     3,627.00
`,
    fields: {
      vendorName: 'סטודיו רון צילום ועריכה',
      vendorTaxId: '301234563',
      documentNumber: '5512',
      date: '2024-09-08',
      currency: 'ILS',
      total: 3627,
      tax: 527,
    },
  },
  {
    name: 'a Hebrew bill of a garage',
    text: `
מוסך האחים לוי
תעשיות 12, אשדוד
ח.פ 513245670
טלפון 08-8567733   פקס 08-8567734
חשבונית מס 30221
לקוח: יוסי אברהם
מספר רכב: 12-345-67    ק"מ: 84220
תאריך 3.12.2024
החלפת שמן ומסנן     320.00
רפידות בלם          450.00
עבודה               280.00
סכום ביניים         1,050.00
מע"מ (17%)          178.50
לתשלום              1,228.50 ₪
כרטיס אשראי         1,228.50
`,
    fields: {
      vendorName: 'מוסך האחים לוי',
      vendorTaxId: '513245670',
      documentNumber: '30221',
      date: '2024-12-03',
      currency: 'ILS',
      total: 1228.5,
      tax: 178.5,
    },
  },
  {
    name: 'a Hebrew receipt for a parking place',
    text: `
חניון כיכר העיר בע"מ
ח.פ. 511234569
קבלה מס' 778812
כניסה: 12/01/2025 09:12
יציאה: 12/01/2025 13:40
סה"כ לתשלום: 48.00 ש"ח
מתוכם מע"מ 18%: 7.32
שולם בכרטיס אשראי
`,
    fields: {
      vendorName: 'חניון כיכר העיר בע"מ',
      vendorTaxId: '511234569',
      documentNumber: '778812',
      date: '2025-01-12',
      currency: 'ILS',
      total: 48,
      tax: 7.32,
    },
  },
  {
    name: 'a Hebrew invoice in dollars with English beside',
    text: `
Negev Robotics Ltd.                     נגב רובוטיקה בע"מ
7 HaTidhar St., Be'er Sheva             Company No. / ח.פ. 515123458

TAX INVOICE / חשבונית מס   No. / מס' 2024-118
Date / תאריך: 19/06/2024
To / לכבוד: Alpine Automation AG, Zürich

Gripper module G4        2     1,150.00     2,300.00
Shipping                 1        85.00        85.00
Total before VAT                          $ 2,385.00
VAT 0%                                    $     0.00
Total to pay                              $ 2,385.00
`,
    fields: {
      vendorName: 'Negev Robotics Ltd.',
      vendorTaxId: '515123458',
      documentNumber: '2024-118',
      date: '2024-06-19',
      currency: 'USD',
      total: 2385,
      tax: 0,
    },
  },
  {
    name: 'a bill of the gas works with balances and an amount due',
    text: `
Riverside Gas & Electric
PO Box 1180, Dayton OH 45401

Account Number: 4410-22-871          Statement Date: 10/28/2023
Invoice Number: 88120456             Due Date: 11/18/2023

Service for: Thomas Reed, 18 Elm Street, Dayton OH 45402

Previous balance                       $84.12
Payment received 10/05/2023           -$84.12
Electric charges                       $61.40
Gas charges                            $22.75
State tax                               $4.21
Total current charges                  $88.36
Amount due                             $88.36
`,
    fields: {
      vendorName: 'Riverside Gas & Electric',
      documentNumber: '88120456',
      date: '2023-10-28',
      currency: 'USD',
      total: 88.36,
      tax: 4.21,
    },
  },
  {
    name: 'a hotel invoice with stay dates',
    text: `
HOTEL SEEBLICK GARNI
Uferpromenade 5 · 88131 Lindau
Tel +49 8382 2211 · www.seeblick-lindau.example

Frau Martha Keller
Birkenweg 3, 70188 Stuttgart

RECHNUNG Nr. 2023-4471                    Datum: 20.08.2023
Anreise 17.08.2023   Abreise 20.08.2023   Zimmer 12

3 Übernachtungen DZ        à 98,00 EUR         294,00 EUR
3 Frühstück                à 14,00 EUR          42,00 EUR
Kurtaxe                                          7,50 EUR

Gesamt                                         343,50 EUR
enthaltene MwSt 7 % aus 294,00                  19,23 EUR
enthaltene MwSt 19 % aus 42,00                   6,71 EUR

Steuernummer 134/220/50671
`,
    fields: {
      vendorName: 'HOTEL SEEBLICK GARNI',
      vendorTaxId: '134/220/50671',
      documentNumber: '2023-4471',
      date: '2023-08-20',
      currency: 'EUR',
      total: 343.5,
      tax: 25.94,
    },
  },
  {
    name: 'a Danish invoice with the total first',
    text: `
Nordlys Design ApS
Vesterbrogade 40, 1620 København V
CVR-nr. DK13585628

FAKTURA 4092
Fakturadato: 05-02-2024
Forfaldsdato: 19-02-2024

Kunde: Café Havnen, Nyhavn 1, 1051 København K

Logo og brevpapir           6.000,00
Subtotal                    6.000,00
Moms 25%                    1.500,00
Total DKK                   7.500,00
`,
    fields: {
      vendorName: 'Nordlys Design ApS',
      vendorTaxId: 'DK13585628',
      documentNumber: '4092',
      date: '2024-02-05',
      currency: 'DKK',
      total: 7500,
      tax: 1500,
    },
  },
  {
    name: 'a taxi receipt',
    text: `
TAXI RECEIPT
City Black Cabs Ltd
Date 14 Nov 2023   Time 22:08
Journey: Paddington to Camden
Fare            £18.40
Extras           £2.00
Total Paid      £20.40
Receipt no. 5520
`,
    fields: {
      vendorName: 'City Black Cabs Ltd',
      documentNumber: '5520',
      date: '2023-11-14',
      currency: 'GBP',
      total: 20.4,
    },
  },
  {
    name: 'a pharmacy slip with card lines',
    text: `
       FARMACIA SAN MARCO SNC
       Corso Italia 14 - Pisa
       P.I. 01733690504
       Tel. 050 44812
                               EURO
ASPIRINA C 20CPR               8,90
TERMOMETRO DIG.               12,50
CEROTTI                        3,20
TOTALE EURO                   24,60
CARTA DI CREDITO              24,60
RESTO                          0,00
di cui IVA                     3,18
18/11/23 10:22       DOC. N. 0034-0117
`,
    fields: {
      vendorName: 'FARMACIA SAN MARCO SNC',
      vendorTaxId: '01733690504',
      documentNumber: '0034-0117',
      date: '2023-11-18',
      currency: 'EUR',
      total: 24.6,
      tax: 3.18,
    },
  },
  {
    name: 'a French phone bill',
    text: `
Opaline Mobile
Service clients - TSA 20114 - 59784 Lille Cedex 9

Votre facture du 4 janvier 2024
N° de facture : 7120088431
N° client : 55102938
                                          M. Paul Girard
                                          6 rue Nationale
                                          59000 Lille

Forfait 80 Go                                       12,49 €
Options                                              2,50 €
Total hors taxes                                    14,99 €
TVA (20,00 %)                                        3,00 €
Total à payer TTC                                   17,99 €
Prélevé le 15 janvier 2024

Opaline Mobile SAS au capital de 500 000 € - RCS Lille 732 829 320 - TVA FR44732829320
`,
    fields: {
      vendorName: 'Opaline Mobile SAS',
      vendorTaxId: 'FR44732829320',
      documentNumber: '7120088431',
      date: '2024-01-04',
      currency: 'EUR',
      total: 17.99,
      tax: 3,
    },
  },
  {
    name: 'a receipt with a discount, service and rounding',
    text: `
      TEH TARIK CORNER ENTERPRISE
      (SA0412233-K)
      NO 8, JALAN SS2/24, 47300 PETALING JAYA
      TEL: 03-78771234
      SST ID: B16-1809-32000123
  Bill No: B-002214    Date: 11/02/2020 20:05
  Table: 7   Cashier: MEI
  2  Nasi Lemak        @9.90    19.80
  3  Teh Tarik         @2.50     7.50
  SUBTOTAL                      27.30
  DISCOUNT 10%                  -2.73
  SERVICE CHARGE 10%             2.46
  SERVICE TAX 6%                 1.47
  ROUNDING                       0.00
  TOTAL (RM)                    28.50
  CASH                          50.00
  CHANGE                        21.50
`,
    fields: {
      vendorName: 'TEH TARIK CORNER ENTERPRISE',
      vendorTaxId: 'B16180932000123',
      documentNumber: 'B-002214',
      date: '2020-02-11',
      currency: 'MYR',
      total: 28.5,
      tax: 1.47,
    },
  },
  {
    name: 'a Turkish receipt',
    text: `
      GÜNEŞ MARKET GIDA LTD. ŞTİ.
      Atatürk Cad. No: 44 Kadıköy İSTANBUL
      Kadıköy V.D. VKN: 4540536920
      TARİH : 12.10.2023    SAAT : 18:25
      FİŞ NO : 0087
      EKMEK          %1      *7,50
      PEYNİR         %1     *92,00
      ÇAY            %10    *64,90
      TOPKDV                 *6,88
      TOPLAM               *164,40
      NAKİT                *200,00
      PARA ÜSTÜ             *35,60
`,
    fields: {
      vendorName: 'GÜNEŞ MARKET GIDA LTD. ŞTİ.',
      vendorTaxId: '4540536920',
      documentNumber: '0087',
      date: '2023-10-12',
      total: 164.4,
      tax: 6.88,
    },
  },
  {
    name: 'an online order with VAT included and the seller at the foot',
    text: `
Order confirmation and invoice
Thank you for your order!

Order number: 302-1189221          Invoice number: WS-GB-774120
Order date: 28 May 2024            Invoice date: 29 May 2024

Delivery address              Billing address
Priya Shah                    Priya Shah
4 Rosemary Close              4 Rosemary Close
Leeds LS6 2AB                 Leeds LS6 2AB

Trail running shoes  1     £84.00
Delivery                    £3.95
Order total                £87.95
Includes VAT of            £14.66

Windermere Sports Limited. Registered in England No. 04412233.
VAT number GB 980 7806 84. www.windermeresports.example
`,
    fields: {
      vendorName: 'Windermere Sports Limited',
      vendorTaxId: 'GB980780684',
      documentNumber: 'WS-GB-774120',
      date: '2024-05-29',
      currency: 'GBP',
      total: 87.95,
      tax: 14.66,
    },
  },
  {
    name: 'a South African till slip',
    text: `
       Karoo Farm Stall (Pty) Ltd
       N1 Highway, Beaufort West
       VAT NO 4230198765
       TAX INVOICE
  INV 10077 / POS 2
  2024/03/30 11:15
  Biltong 200g          R 79.90
  Rusks                 R 54.00
  Coffee                R 28.00
  TOTAL DUE            R 161.90
  VAT 15% INCL          R 21.12
  CARD                 R 161.90
`,
    fields: {
      vendorName: 'Karoo Farm Stall (Pty) Ltd',
      vendorTaxId: '4230198765',
      documentNumber: '10077',
      date: '2024-03-30',
      total: 161.9,
      tax: 21.12,
    },
  },
  {
    name: 'a letter with neither number nor sums',
    text: `
Dear Ms Lindqvist,

we are glad that you could visit our workshop on 3 May 2024.
Please find the pictures attached; some 40 of them turned out well.

Kind regards,
Arne
`,
    fields: {},
  },
]);
