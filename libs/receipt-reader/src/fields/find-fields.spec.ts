import type { ReceiptFields } from '../reading';
import { plainTextPage } from '../text/plain-text-page';
import { findFields } from './find-fields';

interface Case {
  readonly name: string;
  readonly text: string;
  readonly fields: ReceiptFields;
}

const CASES: readonly Case[] = [
  {
    name: 'a German invoice with the sender above the window and its registration at the foot',
    text: `
Holzmanufaktur Brandt GmbH · Lindenweg 8 · 24937 Flensburg

Herrn
Jan Petersen
Hafenstraße 12
24943 Flensburg

                                             Rechnungsnummer:   R-2024-0317
                                             Rechnungsdatum:    14.03.2024
                                             Kundennummer:      10442
                                             Lieferdatum:       08.03.2024

Rechnung

Pos  Bezeichnung                 Menge    Einzelpreis    Gesamtpreis
1    Esstisch Eiche massiv           1       890,00 €       890,00 €
2    Stuhl Modell Norderney          4       129,50 €       518,00 €

                                   Summe netto             1.408,00 €
                                   zzgl. 19 % MwSt.          267,52 €
                                   Gesamtbetrag            1.675,52 €

Zahlbar bis 28.03.2024 ohne Abzug.

Holzmanufaktur Brandt GmbH     Geschäftsführer: Uwe Brandt     IBAN DE02 1203 0000 0000 2020 51
Lindenweg 8, 24937 Flensburg   Amtsgericht Flensburg HRB 4471  USt-IdNr. DE814584193
`,
    fields: {
      vendorName: 'Holzmanufaktur Brandt GmbH',
      vendorTaxId: 'DE814584193',
      documentNumber: 'R-2024-0317',
      date: '2024-03-14',
      currency: 'EUR',
      total: 1675.52,
      tax: 267.52,
    },
  },
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
    name: 'a Swiss invoice with apostrophes',
    text: `
Velowerk Emmental AG
Bahnhofstrasse 21
3400 Burgdorf
CHE-116.281.710 MWST

                                    Frau
                                    Regula Steiner
                                    Mattenweg 4
                                    3012 Bern

Rechnung 24-1187
Burgdorf, 5. April 2024

Artikel                      Anzahl     Preis        Betrag
E-Bike Modell Napf 3              1   3'890.00     3'890.00
Helm Alpina                       2      89.50       179.00

Zwischentotal                             CHF      4'069.00
MWST 8.1%                                 CHF        329.59
Total                                     CHF      4'398.60

Zahlbar innert 30 Tagen
`,
    fields: {
      vendorName: 'Velowerk Emmental AG',
      vendorTaxId: 'CHE116281710MWST',
      documentNumber: '24-1187',
      date: '2024-04-05',
      currency: 'CHF',
      total: 4398.6,
      tax: 329.59,
    },
  },
  {
    name: 'a French invoice with the customer on the right',
    text: `
Menuiserie Lefèvre SARL
14 rue des Tanneurs
37000 Tours
Tél : 02 47 11 22 33
                                                 Facturé à :
                                                 Mme Claire Dubois
                                                 8 allée des Cerisiers
                                                 37100 Tours

FACTURE N° FA-2023-118
Date de facture : 12/09/2023
Date d'échéance : 12/10/2023

Désignation                  Qté      P.U. HT       Total HT
Porte intérieure chêne         2      245,00          490,00
Pose et réglages               1      180,00          180,00

                              Total HT          670,00 €
                              TVA 10 %           67,00 €
                              Total TTC         737,00 €
                              Acompte versé     200,00 €
                              Net à payer       537,00 €

SARL au capital de 8 000 € - SIRET 552 100 554 00025 - RCS Tours - N° TVA FR83404833048
`,
    fields: {
      vendorName: 'Menuiserie Lefèvre SARL',
      vendorTaxId: 'FR83404833048',
      documentNumber: 'FA-2023-118',
      date: '2023-09-12',
      currency: 'EUR',
      total: 737,
      tax: 67,
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
    name: 'a Spanish invoice',
    text: `
Instalaciones Herrero, S.L.
CIF: B58818501
C/ Mayor 45, 28013 Madrid
Tel. 915 554 433

FACTURA                                  Cliente:
Nº Factura: 2024/0219                    Comunidad de Propietarios Sol 9
Fecha: 27/05/2024                        NIF: H28112233
Vencimiento: 26/06/2024                  C/ Sol 9, 28012 Madrid

Concepto                       Cantidad    Precio     Importe
Revisión caldera                   1       120,00      120,00
Sustitución válvula                2        35,50       71,00

Base imponible                                         191,00
IVA 21%                                                 40,11
TOTAL A PAGAR                                        231,11 €
`,
    fields: {
      vendorName: 'Instalaciones Herrero, S.L.',
      vendorTaxId: 'B58818501',
      documentNumber: '2024/0219',
      date: '2024-05-27',
      currency: 'EUR',
      total: 231.11,
      tax: 40.11,
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
    name: 'an Italian invoice',
    text: `
Officina Meccanica Galli S.r.l.
Via Emilia 210 - 40064 Ozzano (BO)
P.IVA 00743110157

                                      Spett.le
                                      Trasporti Rapidi S.p.A.
                                      Via Stalingrado 5 - 40128 Bologna
                                      P.IVA 01234567890

Fattura n. 145/2024 del 18/07/2024

Descrizione                          Q.tà     Prezzo     Importo
Tagliando furgone                     1       320,00      320,00
Pneumatici invernali                  4        95,00      380,00

Imponibile                                     700,00
IVA 22%                                        154,00
Totale fattura                               € 854,00
Scadenza 17/08/2024
`,
    fields: {
      vendorName: 'Officina Meccanica Galli S.r.l.',
      vendorTaxId: '00743110157',
      documentNumber: '145/2024',
      date: '2024-07-18',
      currency: 'EUR',
      total: 854,
      tax: 154,
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
    name: 'a Dutch invoice',
    text: `
Van Dijk Fietsen B.V.
Prinsengracht 88
1015 DX Amsterdam
KvK 34123456
BTW-nr. NL001234567B13

Factuur

Factuurnummer   20240077             Klant
Factuurdatum    11-03-2024           J. de Vries
Vervaldatum     25-03-2024           Keizersgracht 5
                                     1015 CJ Amsterdam

Omschrijving               Aantal   Prijs       Bedrag
Stadsfiets Heren                1   € 495,00    € 495,00
Slot ART-2                      1   €  54,95    €  54,95

Subtotaal                                       € 549,95
BTW 21%                                         € 115,49
Totaal te betalen                               € 665,44
`,
    fields: {
      vendorName: 'Van Dijk Fietsen B.V.',
      vendorTaxId: 'NL001234567B13',
      documentNumber: '20240077',
      date: '2024-03-11',
      currency: 'EUR',
      total: 665.44,
      tax: 115.49,
    },
  },
  {
    name: 'a British tax invoice with boxed heads',
    text: `
INVOICE
Thornbury Print Works Ltd
Unit 4, Mill Lane, Bristol BS35 2HT
VAT Reg No: GB 980 7806 84

Bill To                          Invoice No      Invoice Date      Due Date
Harcourt & Sons                  INV-20931       07/02/2024        08/03/2024
22 Castle Street
Cardiff CF10 1BS

Description                        Qty     Unit Price     Amount
A5 leaflets                        500         £0.12      £60.00
Business cards                       2        £24.00      £48.00

                                         Subtotal        £108.00
                                         VAT @ 20%        £21.60
                                         Total           £129.60

Please pay by BACS. Sort code 20-00-00 Account 12345678
`,
    fields: {
      vendorName: 'Thornbury Print Works Ltd',
      vendorTaxId: 'GB980780684',
      documentNumber: 'INV-20931',
      date: '2024-02-07',
      currency: 'GBP',
      total: 129.6,
      tax: 21.6,
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
    name: 'an American invoice with terms',
    text: `
Cascade Office Supply, Inc.
800 Pine Ave, Suite 200
Seattle, WA 98101

INVOICE                                 Invoice #: 55-10382
                                        Date: 11/19/2023
                                        PO Number: 7781
                                        Terms: Net 30
Bill To:
Rainier Dental Group LLC
19 Harbor Way
Tacoma, WA 98402

Item              Description         Qty    Rate       Amount
CH-200            Task chair            3    189.00     567.00
DK-11             Standing desk         1    642.50     642.50

                                   Subtotal    1,209.50
                                   Sales Tax 10.25%   123.97
                                   TOTAL DUE   $1,333.47
Thank you for your business!
`,
    fields: {
      vendorName: 'Cascade Office Supply, Inc.',
      documentNumber: '55-10382',
      date: '2023-11-19',
      currency: 'USD',
      total: 1333.47,
      tax: 123.97,
    },
  },
  {
    name: 'an Australian tax invoice',
    text: `
Tax Invoice
Coolabah Plumbing Pty Ltd
ABN 51 824 753 556
12 Wattle Street, Brunswick VIC 3056

Invoice Number: CP-0094
Issue Date: 03/08/2023
Due Date: 17/08/2023

To: Margaret Hill
    5 Rose Court, Coburg VIC 3058

Replace hot water tap           $185.00
Call out fee                     $95.00
Subtotal                        $280.00
GST 10%                          $28.00
Total (inc GST)                 $308.00
`,
    fields: {
      vendorName: 'Coolabah Plumbing Pty Ltd',
      vendorTaxId: '51824753556',
      documentNumber: 'CP-0094',
      date: '2023-08-03',
      currency: 'AUD',
      total: 308,
      tax: 28,
    },
  },
  {
    name: 'a Polish invoice',
    text: `
Faktura VAT nr FV/2024/02/031
Data wystawienia: 2024-02-15
Data sprzedaży: 2024-02-12
Termin płatności: 2024-02-29

Sprzedawca                               Nabywca
Zielony Ogród sp. z o.o.                 Kowalski Transport
ul. Lipowa 8, 30-001 Kraków              ul. Polna 3, 31-002 Kraków
NIP: 5260001246                          NIP: 1234563218

Lp  Nazwa towaru        Ilość   Cena netto   Wartość netto   VAT   Wartość brutto
1   Kosiarka K-20           1       650,00          650,00   23%           799,50

Razem                                              650,00   149,50         799,50
Do zapłaty: 799,50 PLN
`,
    fields: {
      vendorName: 'Zielony Ogród sp. z o.o.',
      vendorTaxId: '5260001246',
      documentNumber: 'FV/2024/02/031',
      date: '2024-02-15',
      currency: 'PLN',
      total: 799.5,
      tax: 149.5,
    },
  },
  {
    name: 'a Swedish invoice',
    text: `
Fjällsport i Åre AB
Org.nr 556012-5790
Momsreg.nr SE556012579001

Faktura                  Fakturanr: 10238
                         Fakturadatum: 2024-01-22
                         Förfallodatum: 2024-02-21
Kund: Lars Holm, Storgatan 2, Östersund

Skidhyra vecka                         1 600,00
Pjäxor                                   450,00
Netto                                  2 050,00
Moms 25%                                 512,50
Att betala                    SEK      2 562,50
`,
    fields: {
      vendorName: 'Fjällsport i Åre AB',
      vendorTaxId: 'SE556012579001',
      documentNumber: '10238',
      date: '2024-01-22',
      currency: 'SEK',
      total: 2562.5,
      tax: 512.5,
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
    name: 'an Israeli invoice with its number behind the title',
    text: `
מעבדות אלון בע"מ
ח.פ. 514273556
רחוב הברזל 7, תל אביב   טל: 03-6471122
חשבונית מס מספר 10452
לכבוד: רפואה שלמה בע"מ ח.פ. 512345674
תאריך: 14/05/2024
תאריך פירעון: 30/06/2024

תיאור          כמות    מחיר      סה"כ
בדיקת מים        3     180.00    540.00
דו"ח מסכם        1     250.00    250.00

סה"כ לפני מע"מ   790.00
מע"מ 17%   134.30
סה"כ לתשלום   ₪924.30
`,
    fields: {
      vendorName: 'מעבדות אלון בע"מ',
      vendorTaxId: '514273556',
      documentNumber: '10452',
      date: '2024-05-14',
      currency: 'ILS',
      total: 924.3,
      tax: 134.3,
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
  {
    name: 'a Czech invoice',
    text: `
FAKTURA - daňový doklad č. 2024010056
Dodavatel:                             Odběratel:
Truhlářství Novák s.r.o.               Bytové družstvo Lípa
Dlouhá 12, 602 00 Brno                 Krátká 3, 602 00 Brno
IČ: 27074358   DIČ: CZ27074358         IČ: 12345678

Datum vystavení: 17.01.2024
Datum splatnosti: 31.01.2024

Oprava oken                                12 400,00
Základ DPH                                 12 400,00
DPH 12%                                     1 488,00
Celkem k úhradě                            13 888,00 Kč
`,
    fields: {
      vendorName: 'Truhlářství Novák s.r.o.',
      vendorTaxId: 'CZ27074358',
      documentNumber: '2024010056',
      date: '2024-01-17',
      currency: 'CZK',
      total: 13888,
      tax: 1488,
    },
  },
  {
    name: 'a Belgian invoice without VAT to pay',
    text: `
Studio Verhaegen BV
Kouter 14, 9000 Gent
BTW BE0403170701

Factuur nr. 2024-019            Datum: 29/02/2024
                                Vervaldag: 30/03/2024
Aan: Lumière Productions SAS, 12 rue Oberkampf, 75011 Paris, BTW FR40303265045

Grafisch ontwerp campagne                    1.850,00
Totaal excl. BTW                             1.850,00
BTW 0% (verlegd)                                 0,00
Te betalen                                 € 1.850,00
`,
    fields: {
      vendorName: 'Studio Verhaegen BV',
      vendorTaxId: 'BE0403170701',
      documentNumber: '2024-019',
      date: '2024-02-29',
      currency: 'EUR',
      total: 1850,
      tax: 0,
    },
  },
  {
    name: 'an invoice whose names stand in two labelled columns',
    text: `
                         INVOICE

From                                  Bill to
Delphine Moreau Consulting            Arctic Foods Oy
4 Quai Voltaire                       Satamakatu 3
Paris 75007                           Helsinki 00160
VAT FR40303265045                     VAT FI20774740

Invoice number   2024-07
Date             July 2, 2024
Payment due      August 1, 2024

Consulting, June 2024      12 days      650.00      7,800.00
                                       Net          7,800.00
                                       VAT 20%      1,560.00
                                       Total EUR    9,360.00
`,
    fields: {
      vendorName: 'Delphine Moreau Consulting',
      vendorTaxId: 'FR40303265045',
      documentNumber: '2024-07',
      date: '2024-07-02',
      currency: 'EUR',
      total: 9360,
      tax: 1560,
    },
  },
];

const read = (text: string) => findFields([plainTextPage(text)], { source: 'text', today: '2026-06-30' });

describe('the fields of', () => {
  it.each(CASES)('$name', ({ text, fields }) => {
    expect(read(text).fields).toEqual(fields);
  });
});

describe('what is found', () => {
  const receipt = `
      HILLTOP BAKERY LTD
      Receipt No: 4411     Date: 12/05/2024
      Bread          4.00
      Cake           8.50
      TOTAL         12.50
      CASH          20.00
      CHANGE         7.50
`;

  it('has a confidence for each field and for no other', () => {
    const { fields, confidence } = read(receipt);
    expect(Object.keys(confidence).sort()).toEqual(Object.keys(fields).sort());
    for (const one of Object.values(confidence)) expect(one > 0.3 && one <= 1).toBe(true);
  });

  it('has no date that is still to come', () => {
    const pages = [plainTextPage(receipt)];
    expect(findFields(pages, { source: 'text', today: '2024-05-11' }).fields.date).toBeUndefined();
    expect(findFields(pages, { source: 'text', today: '2024-05-12' }).fields.date).toBe('2024-05-12');
  });

  it('has no total that was recognised without any word or sum for it', () => {
    const pages = [plainTextPage('HILLTOP BAKERY LTD\nReceipt No: 4411\n\n     12.50')];
    expect(findFields(pages, { source: 'ocr', today: '2026-06-30' }).fields.total).toBeUndefined();
  });

  it('is nothing on an empty page, and on none', () => {
    expect(read('')).toEqual({ fields: {}, confidence: {} });
    expect(findFields([], { source: 'ocr', today: '2026-06-30' })).toEqual({ fields: {}, confidence: {} });
  });

  it('is what it was when letters and spaces were misread', () => {
    const misread = receipt
      .replace('TOTAL  ', 'T0TAL  ')
      .replace('12.50\n', '12.5O\n')
      .replace('Receipt No', 'ReceiptNo');
    const { fields } = findFields([plainTextPage(misread)], { source: 'ocr', today: '2026-06-30' });
    expect(fields).toMatchObject({ total: 12.5, documentNumber: '4411', date: '2024-05-12' });
  });
});
