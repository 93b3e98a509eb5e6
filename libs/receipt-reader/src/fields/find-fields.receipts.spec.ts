import { describeFieldsOf, readText } from '../testing/fields-of';
import { plainTextPage } from '../text/plain-text-page';
import { findFields } from './find-fields';

describeFieldsOf([
  {
    name: 'a German till slip with two rates',
    text: `
          Frischmarkt Özdemir
           Kölner Str. 114
            50226 Frechen
         Tel. 02234 / 55718
       UID Nr. DE136695976
                            EUR
Vollmilch 3,5%             1,19 A
Bananen                    2,35 A
Küchenrolle                3,49 B
--------------------------------
SUMME                EUR   7,03
Bar                  EUR  10,00
Rückgeld             EUR   2,97
MWST%     Netto   MwSt   Brutto
A  7%      3,31   0,23     3,54
B 19%      2,93   0,56     3,49
Gesamt     6,24   0,79     7,03
02.11.2023    17:42   Bon-Nr. 4471
   Vielen Dank für Ihren Einkauf
`,
    fields: {
      vendorName: 'Frischmarkt Özdemir',
      vendorTaxId: 'DE136695976',
      documentNumber: '4471',
      date: '2023-11-02',
      currency: 'EUR',
      total: 7.03,
      tax: 0.79,
    },
  },
  {
    name: 'an Austrian restaurant bill',
    text: `
        Gasthof zum Goldenen Hirschen
             Hauptplatz 3
          8010 Graz, Österreich
            UID: ATU12345675

Rechnung Nr.: 20881           Tisch 14
Datum: 21.06.2024  20:51   Bedienung: Eva

2 Wiener Schnitzel    á 16,90     33,80
1 Apfelstrudel                     5,60
3 Almdudler 0,5       á 4,30      12,90
------------------------------------
Gesamtbetrag                € 52,30
inkl. 10% USt aus 39,40        3,58
inkl. 20% USt aus 12,90        2,15
Summe USt                      5,73
Bezahlt mit: Bankomat         52,30
Danke für Ihren Besuch!
`,
    fields: {
      vendorName: 'Gasthof zum Goldenen Hirschen',
      vendorTaxId: 'ATU12345675',
      documentNumber: '20881',
      date: '2024-06-21',
      currency: 'EUR',
      total: 52.3,
      tax: 5.73,
    },
  },
  {
    name: 'a French bakery ticket',
    text: `
     AU FOURNIL DE JEANNE
    23 avenue Jean Jaurès
       69007 LYON
   Siret : 443 061 841 00047
  Ticket n° 88213    03/02/2024 08:14
  2 x Croissant          2,60
  1 x Baguette tradition 1,35
  1 x Tarte citron       3,90
  --------------------------
  TOTAL              7,85 EUR
  dont TVA 5,5%      0,41
  CB                 7,85
      Merci, à bientôt !
`,
    fields: {
      vendorName: 'AU FOURNIL DE JEANNE',
      vendorTaxId: '44306184100047',
      documentNumber: '88213',
      date: '2024-02-03',
      currency: 'EUR',
      total: 7.85,
      tax: 0.41,
    },
  },
  {
    name: 'a Spanish simplified invoice',
    text: `
      CAFETERÍA LA PLAZUELA
      NIF 12345678Z
      Plaza Mayor 7, Salamanca
   FACTURA SIMPLIFICADA
   Nº: T-00981   15/10/2023 11:32
   Mesa: 4
   2 Café con leche      3,00
   1 Tostada tomate      2,20
   1 Zumo naranja        2,80
   TOTAL                 8,00 €
   IVA incluido 10%      0,73
   Efectivo             10,00
   Cambio                2,00
     GRACIAS POR SU VISITA
`,
    fields: {
      vendorName: 'CAFETERÍA LA PLAZUELA',
      vendorTaxId: '12345678Z',
      documentNumber: 'T-00981',
      date: '2023-10-15',
      currency: 'EUR',
      total: 8,
      tax: 0.73,
    },
  },
  {
    name: 'an Italian till slip',
    text: `
       TRATTORIA DA NELLO
       Via Roma 12, Siena
     P.IVA 00743110157
  DOCUMENTO COMMERCIALE
  di vendita o prestazione
Descrizione        IVA    Prezzo(€)
COPERTO            10%     5,00
PICI AL RAGU       10%    22,00
VINO CASA          10%     9,00
Subtotale                 36,00
TOTALE COMPLESSIVO        36,00
di cui IVA                 3,27
Pagamento contante        40,00
Resto                      4,00
14-09-2023 21:47
DOCUMENTO N. 0412-0031
`,
    fields: {
      vendorName: 'TRATTORIA DA NELLO',
      vendorTaxId: '00743110157',
      documentNumber: '0412-0031',
      date: '2023-09-14',
      currency: 'EUR',
      total: 36,
      tax: 3.27,
    },
  },
  {
    name: 'a British pub receipt',
    text: `
        The Wheatsheaf Inn
        High Street, Marlow
        VAT No. 980780684
   Receipt: 008812  Table 6
   Mon 12 Jun 2023  19:20
   2 Fish & Chips       27.90
   1 Sticky Toffee       6.50
   2 Pint Bitter         9.80
   Sub Total           £44.20
   Service Charge 10%   £4.42
   Total               £48.62
   VAT included 20%     £8.10
   VISA CONTACTLESS    £48.62
`,
    fields: {
      vendorName: 'The Wheatsheaf Inn',
      vendorTaxId: '980780684',
      documentNumber: '008812',
      date: '2023-06-12',
      currency: 'GBP',
      total: 48.62,
      tax: 8.1,
    },
  },
  {
    name: 'an American restaurant check with a tip line',
    text: `
         Blue Heron Diner
        1420 Main Street
       Portland, OR 97205
        (503) 555-0148

Check #: 41277      Server: Amy
03/05/2024 12:41 PM    Table 9

1 Turkey Club             13.50
1 Cobb Salad              14.25
2 Iced Tea                 6.50

Subtotal                 $34.25
Tax                       $2.74
Total                    $36.99

Tip   ____________
`,
    fields: {
      vendorName: 'Blue Heron Diner',
      documentNumber: '41277',
      date: '2024-03-05',
      currency: 'USD',
      total: 36.99,
      tax: 2.74,
    },
  },
  {
    name: 'an Indian bill with two halves of the tax',
    text: `
        SRI KRISHNA SWEETS
     14 MG Road, Bengaluru 560001
     GSTIN: 29ABCDE1234F1Z5
     Ph: 080-25551234
  Bill No: 2391     Date: 09-12-2023
  Item          Qty   Rate   Amount
  Mysore Pak      2  240.00  480.00
  Filter Coffee   2   40.00   80.00
  Sub Total                  560.00
  CGST 2.5%                   14.00
  SGST 2.5%                   14.00
  Grand Total           Rs. 588.00
     Thank You! Visit Again
`,
    fields: {
      vendorName: 'SRI KRISHNA SWEETS',
      vendorTaxId: '29ABCDE1234F1Z5',
      documentNumber: '2391',
      date: '2023-12-09',
      currency: 'INR',
      total: 588,
      tax: 28,
    },
  },
  {
    name: 'a Portuguese receipt',
    text: `
Pastelaria Aurora, Lda
Rua do Ouro 55, 1100-060 Lisboa
NIF: 501964843
Fatura Simplificada FS 2023/4410
Data: 30-11-2023
Pastel de nata x4        5,20
Galão                    1,60
Total                  € 6,80
IVA 13%                  0,78
Numerário               10,00
Troco                    3,20
`,
    fields: {
      vendorName: 'Pastelaria Aurora, Lda',
      vendorTaxId: '501964843',
      documentNumber: 'FS 2023/4410',
      date: '2023-11-30',
      currency: 'EUR',
      total: 6.8,
      tax: 0.78,
    },
  },
  {
    name: 'an Israeli till slip',
    text: `
        פיצה רמת הגולן
     שדרות בן גוריון 19, חיפה
     עוסק מורשה 058471236
   חשבונית מס קבלה מס' 004417
   תאריך 22.02.2025 שעה 20:14
   פיצה משפחתית       64.90
   תוספת זיתים         6.00
   קולה 1.5            12.00
   סה"כ               82.90
   כולל מע"מ 18%       12.65
   מזומן             100.00
   עודף               17.10
`,
    fields: {
      vendorName: 'פיצה רמת הגולן',
      vendorTaxId: '058471236',
      documentNumber: '004417',
      date: '2025-02-22',
      currency: 'ILS',
      total: 82.9,
      tax: 12.65,
    },
  },
  {
    name: 'a receipt of an exempt Israeli dealer',
    text: `
רות לביא - שיעורי פסנתר
עוסק פטור 032165490
קבלה מספר 88
תאריך: 3 במרץ 2024
התקבל מאת: משפחת כהן
עבור: שיעורי חודש פברואר
סכום: 640.00 ש"ח
אמצעי תשלום: העברה בנקאית
חתימה: ________
`,
    fields: {
      vendorName: 'רות לביא - שיעורי פסנתר',
      vendorTaxId: '032165490',
      documentNumber: '88',
      date: '2024-03-03',
      currency: 'ILS',
      total: 640,
    },
  },
  {
    name: 'a Singapore receipt with service charge',
    text: `
      Lantern House Pte Ltd
      21 Amoy Street, Singapore 069866
      GST Reg No: 201412345K
  Rcpt: A10293      18/01/2024 13:05
  Laksa               12.80
  Kopi O               2.40
  Subtotal            15.20
  Svc Chg 10%          1.52
  GST 9%               1.50
  TOTAL             S$18.22
  NETS                18.22
`,
    fields: {
      vendorName: 'Lantern House Pte Ltd',
      vendorTaxId: '201412345K',
      documentNumber: 'A10293',
      date: '2024-01-18',
      currency: 'SGD',
      total: 18.22,
      tax: 1.5,
    },
  },
  {
    name: 'a receipt sent by mail, in sentences and lines',
    text: `
Receipt from Northlight Hosting
Receipt #2219-7741

Amount paid      Date paid           Payment method
$24.00           Apr 9, 2024         Visa - 4242

Summary
Apr 9 - May 9, 2024
Starter plan x 1              $20.00
Extra storage                  $4.00
Amount charged                $24.00

If you have any questions, contact us at billing@northlight.example
Northlight Hosting Inc., 548 Market St, San Francisco, CA 94104
`,
    fields: {
      vendorName: 'Northlight Hosting',
      documentNumber: '2219-7741',
      date: '2024-04-09',
      currency: 'USD',
      total: 24,
    },
  },
  {
    name: 'a Canadian receipt with two taxes',
    text: `
      MAPLE LEAF HARDWARE
      77 King St W, Toronto ON M5K 1A1
      GST/HST # 123456782 RT0001
   Trans: 4471-02   2024-05-17 10:22
   Hammer             24.99
   Nails 2kg          11.49
   SUBTOTAL           36.48
   HST 13%             4.74
   TOTAL            $ 41.22
   DEBIT              41.22
`,
    fields: {
      vendorName: 'MAPLE LEAF HARDWARE',
      vendorTaxId: '123456782RT0001',
      date: '2024-05-17',
      currency: 'CAD',
      total: 41.22,
      tax: 4.74,
    },
  },
  {
    name: 'a petrol receipt with litres and pump',
    text: `
     TANKSTELLE BERGER KG
     Bundesstr. 9, 55116 Mainz
     Steuer-Nr. 26/123/45678
  Beleg-Nr. 7719   24.12.2023 09:18
  Säule 4
  Super E10   41,20 l x 1,739
                        71,65 EUR
  Gesamtbetrag          71,65 EUR
  enth. 19% MwSt        11,44 EUR
  Netto                 60,21 EUR
  girocard              71,65 EUR
`,
    fields: {
      vendorName: 'TANKSTELLE BERGER KG',
      vendorTaxId: '26/123/45678',
      documentNumber: '7719',
      date: '2023-12-24',
      currency: 'EUR',
      total: 71.65,
      tax: 11.44,
    },
  },
]);

describe('the found fields', () => {
  const receipt = `
      HILLTOP BAKERY LTD
      Receipt No: 4411     Date: 12/05/2024
      Bread          4.00
      Cake           8.50
      TOTAL         12.50
      CASH          20.00
      CHANGE         7.50
`;

  it('have a confidence for each field and no other', () => {
    const { fields, confidence } = readText(receipt);
    expect(Object.keys(confidence).sort()).toEqual(Object.keys(fields).sort());
    for (const one of Object.values(confidence)) expect(one > 0.3 && one <= 1).toBe(true);
  });

  it('have no future date', () => {
    const pages = [plainTextPage(receipt)];
    expect(findFields(pages, { source: 'text', today: '2024-05-11' }).fields.date).toBeUndefined();
    expect(findFields(pages, { source: 'text', today: '2024-05-12' }).fields.date).toBe('2024-05-12');
  });

  it('have no total from OCR without a label or sum', () => {
    const pages = [plainTextPage('HILLTOP BAKERY LTD\nReceipt No: 4411\n\n     12.50')];
    expect(findFields(pages, { source: 'ocr', today: '2026-06-30' }).fields.total).toBeUndefined();
  });

  it('are empty on an empty page, and without pages', () => {
    expect(readText('')).toEqual({ fields: {}, confidence: {}, places: {} });
    expect(findFields([], { source: 'ocr', today: '2026-06-30' })).toEqual({
      fields: {},
      confidence: {},
      places: {},
    });
  });

  it('are the same with misread letters and spaces', () => {
    const misread = receipt
      .replace('TOTAL  ', 'T0TAL  ')
      .replace('12.50\n', '12.5O\n')
      .replace('Receipt No', 'ReceiptNo');
    const { fields } = findFields([plainTextPage(misread)], { source: 'ocr', today: '2026-06-30' });
    expect(fields).toMatchObject({ total: 12.5, documentNumber: '4411', date: '2024-05-12' });
  });
});
