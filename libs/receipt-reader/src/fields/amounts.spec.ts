import { decimalMarkOf, findNumbers, isNegative, parseNumber, repairDigits } from './amounts';

const cents = (text: string, mark: '.' | ',' = '.', recognised = false) =>
  findNumbers(text, mark, recognised).map((number) => number.cents);

describe('the decimal separator', () => {
  it.each([
    ['1.234,56 und 9,90', ','],
    ['1,234.56 and 9.90', '.'],
    ['Datum 05.03.2018 Summe 12,50', ','],
    ["3'890.00", '.'],
    ['no numbers', '.'],
    ['Total 1.250.000', ','],
    ['Total Rp 12.500', ','],
    ['Paper 7.250 Total KWD 12.500', '.'],
  ])('of "%s" is "%s"', (text, mark) => {
    expect(decimalMarkOf(text)).toBe(mark);
  });
});

describe('numbers', () => {
  it.each([
    ['1,234.56', '.', 123456],
    ['1.234,56', ',', 123456],
    ['1 234,56', ',', 123456],
    ["1'234.56", '.', 123456],
    ['.40', '.', 40],
    ['1,234', '.', 123400],
    ['1.234', ',', 123400],
    ['12', '.', 1200],
    ['12,50', '.', 1250],
    ['15 625.00', '.', 1562500],
    ['2 600 000.00', '.', 260000000],
    ['1,47,500.00', '.', 14750000],
    ['1,47,500', '.', 14750000],
    ['-1,25,000.00', '.', 12500000],
  ] as const)('reads %s with the mark "%s"', (text, mark, expected) => {
    expect(cents(text, mark)).toEqual([expected]);
  });

  it('separates a quantity and a price by column', () => {
    expect(cents('1  234.50')).toEqual([100, 23450]);
    expect(cents('1 234.50', ',')).toEqual([100, 23450]);
  });

  it.each([
    ['12 700 Ft', [1270000]],
    ['CZK 12 700', [1270000]],
    ['12 700', [1200, 70000]],
    ['Room 12 150 $89.00', [1200, 15000, 8900]],
    ['300 EUR 2 150', [30000, 200, 15000]],
    ['2 500 EUROPE', [200, 50000]],
  ])('joins whole thousands only beside a currency of their own: %s', (text, expected) => {
    expect(cents(text)).toEqual(expected);
    expect(findNumbers('12 700 Ft', '.', true).map(({ isPart }) => isPart)).toEqual([true, true]);
  });

  it('guesses on a recognised page if the point is the separator and a space may separate thousands', () => {
    const [quantity, price] = findNumbers('1 234.50', '.', true);
    expect(quantity).toMatchObject({ cents: 100, repaired: false });
    expect(price).toMatchObject({ cents: 23450, repaired: true });
  });

  it.each([
    ['12.500', '.', 3],
    ['1,459', ',', 3],
    ['1,234.567', '.', 3],
    ['12.500', ',', 0],
    ['1.234.567', '.', 0],
  ] as const)('distinguishes thousandths and thousands: %s with the mark "%s"', (text, mark, decimals) => {
    expect(parseNumber(text, mark)?.decimals).toBe(decimals);
  });

  it('finds an amount that is joined to its currency or label', () => {
    expect(cents('RM12.50')).toEqual([1250]);
    expect(cents('TOTAL9.10', '.', true)).toEqual([910]);
  });

  it('finds an amount after a minus sign', () => {
    expect(cents('Totaal EUR -1.341,85', ',')).toEqual([134_185]);
    expect(cents('Montant TTC -14 508,97 EUR', ',')).toEqual([1_450_897]);
    expect(cents('-€232,88', ',')).toEqual([23_288]);
    expect(cents('Total -12.50')).toEqual([1250]);
    expect(cents('Ref 12-34,56', ',')).toEqual([]);
  });

  it('ignores parts of dates, times and codes', () => {
    expect(cents('14/05/2017 12:30 A/17/88')).toEqual([]);
  });

  it.each([
    ['RM12.5O', 1250],
    ['4 .70', 470],
    ['Total 12 50', 1250],
    ['O.50', 50],
    ['7.00S', 700],
  ])('repairs %s of a recognised page', (text, expected) => {
    expect(cents(text, '.', true)).toEqual([expected]);
  });

  it('reads letters as digits only inside numbers', () => {
    expect(repairDigits('OIL 5O')).toBe('OIL 5O');
    expect(repairDigits('1O.5O')).toBe('10.50');
  });

  it('ignores numbers that are too long for money', () => {
    expect(parseNumber('1234567890123', '.')).toBeUndefined();
  });

  it.each([
    ['-3.51', 1, 5, true],
    ['3.51-', 0, 4, true],
    ['(3.51)', 1, 5, true],
    ['- € 80.00', 4, 9, true],
    ['£-240.00', 2, 8, true],
    ['€ -80.00', 3, 8, true],
    ['-EUR 80.00', 5, 10, true],
    ['12.00 CR', 0, 5, true],
    ['12.00 CREDIT', 0, 5, false],
    ['AB-€ 80.00', 5, 10, false],
    ['3.51', 0, 4, false],
    ['A-3.51', 2, 6, false],
  ])('detects the sign of %s', (text, start, end, negative) => {
    expect(isNegative(text, start, end)).toBe(negative);
  });
});
