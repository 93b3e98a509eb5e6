import type { ReadingSource } from '../../libs/receipt-reader/src/reading';
import { plainTextPage } from '../../libs/receipt-reader/src/text/plain-text-page';
import type { Lesson } from './learn';

/** Invented documents with amounts and dates that are neither receipts nor invoices. */
const TEXTS: readonly string[] = [
  `RENTAL AGREEMENT
This agreement is made on 14 February 2024 between Orla Finch ("Landlord") and Ben Tate ("Tenant").
1. The rent is £950.00 a month, payable on the first day of each month.
2. A deposit of £1,425.00 is held by the Landlord. The total payable in the first month is £2,375.00.
3. The agreement ends on 13 February 2025.`,
  `Mietvertrag
zwischen Frau Ilse Kramer (Vermieterin) und Herrn Paul Voss (Mieter)
§ 1 Das Mietverhältnis beginnt am 01.09.2023 und läuft auf unbestimmte Zeit.
§ 2 Die Miete beträgt 780,00 € monatlich, die Vorauszahlung auf die Nebenkosten 140,00 €, gesamt 920,00 €.
§ 3 Die Kaution beträgt 2.340,00 €.`,
  `Lakeside Savings Bank
Account statement March 2024
Account 4471 0093     Sort code 30-44-12
Date        Details               Debit      Credit     Balance
01/03/2024  Balance brought                              812.40
04/03/2024  Card payment           23.15                 789.25
15/03/2024  Salary                          1,940.00   2,729.25
28/03/2024  Rent                  850.00               1,879.25
Totals                            873.15   1,940.00`,
  `Sparbank am See eG
Kontoauszug Nr. 4/2024 vom 30.04.2024
Konto 7712008  BLZ 100 200 30
02.04.  Lastschrift Stadtwerke       -64,00
11.04.  Gutschrift Gehalt          2.310,55
29.04.  Miete                       -710,00
Neuer Saldo                        3.044,10`,
  `Payslip for May 2024
Hartwell Mills Ltd
Employee no. 3310   Joan Pike   Paid on 31/05/2024
Basic salary     2,150.00
Overtime           180.00
Income tax         265.40
Pension            107.50
Total pay        2,330.00
Net amount       1,957.10`,
  `תלוש שכר לחודש 06/2024
שם העובד: דנה אלון   מספר עובד 118
שכר יסוד          9,800.00
נסיעות              315.00
מס הכנסה            740.00
ביטוח לאומי         412.00
סה"כ תשלומים     10,115.00
נטו לתשלום        8,963.00
תאריך תשלום 09/07/2024`,
  `Bulletin de paie
Société Verdier Frères     Période du 01/04/2024 au 30/04/2024
Salaire de base        2 280,00
Cotisations salariales   512,30
Impôt sur le revenu       98,00
Total brut             2 280,00
Net à payer            1 669,70`,
  `Harbour bridge to reopen after repairs
By Martin Kell, 18 October 2023
The works cost a total of 12.40 million, of which 2.10 million was tax. The council said the balance due of
1.75 million would be paid by the end of the year. An invoice for the lighting is disputed.`,
  `Gemeinde senkt die Steuer
Von Anna Roth, 7. März 2024
Die Grundsteuer sinkt im kommenden Jahr um 2,50 Prozent. Insgesamt nimmt die Gemeinde damit 310,75 Millionen
Euro ein, ein Betrag von 14,20 Euro je Einwohner weniger als bisher.`,
  `// Sums the lines of a basket. Changed 2023-11-04, version 3.20
export function basketTotal(lines) {
  const total = lines.reduce((sum, line) => sum + line.price, 0.00);
  const vat = total * 0.20;
  if (total > 99.99) return { total, discount: 5.00 };
  return { total: total + vat, invoice: "INV-100" };
}`,
  `2024-01-08 09:00:01 INFO  start worker 7 version 2.14
2024-01-08 09:00:04 INFO  order 551207 total=48.20 tax=8.03 state=open
2024-01-08 09:00:09 WARN  order 551208 total=15.75 retry=2
2024-01-08 09:02:44 ERROR payment of 15.75 refused`,
  `Lemon drizzle loaf
Serves 10. Total time 1.10 hours. From our kitchen, 6 June 2023
Butter      175.00 g
Sugar       160.50 g
Flour       190.00 g
Lemons        2
Amount of syrup: 0.25 litre. Bake for 45 minutes.`,
  `Annual report 2023
Published 11 April 2024
                       2023       2022
Revenue              8,412.20   7,990.10
Cost of sales        5,102.00   4,870.40
Income tax             640.00     588.00
Net profit           1,220.30   1,104.90
Total assets        14,890.00  13,700.50`,
  `Preisliste gültig ab 01.01.2024
Salon Haargenau
Waschen und Schneiden   34,00 €
Färben                  52,50 €
Föhnen                  18,00 €
Alle Preise inkl. 19 % MwSt.`,
  `The Mill House - Menu
Soup of the day     6.50
Fish and chips     13.90
Apple crumble       7.20
Prices include VAT. A service charge of 10% is added to tables of six. From 3 May 2024`,
  `Timetable from 10 December 2023
Northfield     06.12   07.12   08.12
Old Quay       06.25   07.25   08.25
St Anne        06.41   07.41   08.41
Total journey 0.29`,
  `From: Petra Lund
To: Sam Okoro
Date: 22 January 2024
Subject: budget

Hello Sam, the total for the fair comes to about 2,400.00 with tax. Could you send me the order of last year?
I think the amount was 2,150.50 then. Thanks, Petra`,
  `Dear Ms Rowe,
Thank you for your letter of 5 August 2023. Your claim 77-1043 has been accepted and 640.00 EUR will be
transferred to your account within ten days. The total paid to you this year is 1,180.00 EUR.
Kind regards, Seven Oaks Mutual`,
  `QUOTATION Q-2291
Brightwall Decorators     Valid until 31/07/2024
Preparing walls        420.00
Two coats of paint     860.00
VAT 20%                256.00
Estimated cost       1,536.00`,
  `Angebot 2024-118
Tischlerei Nordmann     Gültig bis 15.06.2024
Einbauschrank Buche    2.480,00 €
Montage                  390,00 €
Voraussichtliche Kosten 2.870,00 €`,
  `הצעת מחיר 4471
גינון השקמה        בתוקף עד 30/06/2024
עיצוב גינה          3,200.00
מערכת השקיה         1,850.00
הערכה כוללת         5,050.00`,
  `Presupuesto 118
Reformas del Norte     Fecha 12/03/2024
Alicatado de cocina     1.240,00
Pintura                   560,00
Validez de 30 días. Precios sin IVA.`,
  `Region        2022      2023     Change
Highlands     44.10     45.80      1.70
Coast         71.25     70.05     -1.20
Total        115.35    115.85      0.50
Source: tourist board, 2 February 2024`,
  `Club championship, round 5, 9 March 2024
Hale 3.50   Ito 3.00   Brandt 2.50   Yusuf 1.00
Total points 10.00`,
];

/** The vendor is not included, because it is named in the same way as in receipts. */
const NONE = {
  documentNumber: null,
  date: null,
  total: null,
  tax: null,
} as const;

/** A small weight, because most such documents are recognised before any field is predicted. */
const WEIGHT = 0.2;

/** Returns lessons whose right answer is that there is no number, date, total or tax. */
export function lessonsOfNonReceipts(): Lesson[] {
  const source: ReadingSource = 'text';
  return TEXTS.map((text, number) => ({
    id: `non-receipt-${number}`,
    pages: [plainTextPage(text)],
    source,
    merchant: `non-receipt ${number}`,
    truth: NONE,
    weight: WEIGHT,
  }));
}
