import type { Page } from '../page';
import { isReadable } from './text-quality';

const page = (text: string): Page => ({
  width: 1,
  height: 1,
  spans: [{ text, x: 0, y: 0, width: 1, height: 1, confidence: 1 }],
});

describe('the text layer of a PDF', () => {
  it.each([
    'Invoice 4711 of 12 March 2024, Acme Ltd, VAT GB123456789, total amount to pay: EUR 1,190.00',
    'Rechnung Nr. 30064443 vom 7. Mai 2014, QualityHosting AG, Steuernummer DE 232 446 240',
    'חשבונית מס מס\' 64767 לכבוד: חברת הדרור לשיווק בע"מ סך הכל לתשלום ₪ 987.11',
  ])('is read: %s', (text) => expect(isReadable([page(text)])).toBe(true));

  it.each([
    ['too little of it', 'Scanned by an app, page 1'],
    ['characters without names', '\ue001\ue002\ue003 \ue004\ue005 \ufffd\ufffd '.repeat(20)],
    ['letters with the names of others', '7RWDO DPRXQW GXH LQYRLFH QXPEHU 12345 GDWH RI VXSSOB '.repeat(3)],
    ['a bad scan', 'lNVO|CE N0: l234S ~ T0tal fOr thE m0nth :: 4S.OO || rEcEiVed w1th thAnks ,. '.repeat(3)],
  ])('is not read: %s', (_, text) => expect(isReadable([page(text)])).toBe(false));
});
