import { describeFieldsOf } from '../testing/fields-of';

describeFieldsOf([
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
]);
