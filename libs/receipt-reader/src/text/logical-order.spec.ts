import { type DrawnText, logicalOrder } from './logical-order';

const drawn = (text: string): DrawnText => ({ text, isRightToLeft: false });
const hebrew = (text: string): DrawnText => ({ text, isRightToLeft: true });

describe('the order in which drawn text is read', () => {
  it('leaves left-to-right text unchanged', () => {
    expect(logicalOrder([drawn('Total: '), drawn('12.00 (EUR)')])).toBe('Total: 12.00 (EUR)');
  });

  it('reads runs from the right', () => {
    expect(logicalOrder([drawn('517337960'), drawn(' '), hebrew('ח.פ.')])).toBe('ח.פ. 517337960');
    expect(logicalOrder([drawn('20989 '), hebrew('חשבונית מס / קבלה')])).toBe('חשבונית מס / קבלה 20989');
  });

  it('joins numbers that were drawn in parts', () => {
    expect(logicalOrder([drawn('03'), drawn('-'), drawn('5582140'), drawn(' '), hebrew("טל'")])).toBe(
      "טל' 03-5582140",
    );
    expect(
      logicalOrder([drawn('16'), drawn('/'), drawn('11'), drawn('/2025'), drawn(' :'), hebrew('תאריך')]),
    ).toBe('תאריך: 16/11/2025');
  });

  it('puts punctuation after its word', () => {
    expect(logicalOrder([drawn('515502188 .ח.פ')])).toBe('ח.פ. 515502188');
    expect(logicalOrder([drawn('16/11/2025 :תאריך')])).toBe('תאריך: 16/11/2025');
    expect(logicalOrder([drawn('______ :חתימה')])).toBe('חתימה: ______');
  });

  it('mirrors brackets that were drawn mirrored', () => {
    expect(logicalOrder([drawn('('), drawn('18%'), drawn(') '), hebrew('מע״מ')])).toBe('מע״מ (18%)');
    expect(logicalOrder([hebrew('מע״מ )18%(')])).toBe('מע״מ (18%)');
  });

  it('keeps the order of words in another language', () => {
    expect(logicalOrder([drawn('Orbit Cloud Services '), hebrew('מאת החברה הרשומה בישראל')])).toBe(
      'מאת החברה הרשומה בישראל Orbit Cloud Services',
    );
  });

  it('reverses only the Hebrew part of a left-to-right line', () => {
    expect(logicalOrder([drawn('VAT number / 514750991 '), hebrew('ח.פ.')])).toBe(
      'VAT number / ח.פ. 514750991',
    );
  });

  it('keeps amounts with their sign', () => {
    expect(logicalOrder([drawn('₪1,923.40 '), hebrew('סה״כ')])).toBe('סה״כ ₪1,923.40');
    expect(logicalOrder([drawn('2,506.65 ₪ '), hebrew('לתשלום')])).toBe('לתשלום ₪ 2,506.65');
  });
});
