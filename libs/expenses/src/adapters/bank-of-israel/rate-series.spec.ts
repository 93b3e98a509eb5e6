import { PublishedRatesUnavailable } from '../../application/ports/published-rates';
import { readSeries } from './rate-series';

const HEADER =
  'SERIES_CODE,FREQ,BASE_CURRENCY,COUNTER_CURRENCY,UNIT_MEASURE,DATA_TYPE,DATA_SOURCE,TIME_COLLECT,CONF_STATUS,' +
  'PUB_WEBSITE,UNIT_MULT,COMMENTS,TIME_PERIOD,OBS_VALUE,RELEASE_STATUS';
const SINCE = '2026-01-01';

const line = (currency: string, day: string, rate: string, unitMult = '0') =>
  `RER_${currency}_ILS,D,${currency},ILS,ILS,OF00,BOI_MRKT,V,F,Y,${unitMult},,${day},${rate},YP`;
const GOOD = line('USD', '2026-03-02', '3.073');
const read = (...lines: string[]) => readSeries([HEADER, ...lines, ''].join('\r\n'), SINCE);

describe("the Bank of Israel's series", () => {
  it('is read with its units', () => {
    const lines = [GOOD, line('JPY', '2026-03-02', '1.971', '2'), line('LBP', '2026-03-02', '0.0003', '1')];
    expect(read(...lines)).toEqual({
      rates: [
        { currency: 'USD', date: '2026-03-02', rate: 3.073, unit: 1 },
        { currency: 'JPY', date: '2026-03-02', rate: 1.971, unit: 100 },
        { currency: 'LBP', date: '2026-03-02', rate: 0.0003, unit: 10 },
      ],
      refused: [],
    });
  });

  it('is read by column names, with a byte order mark and other line ends', () => {
    const columns = 'OBS_VALUE,TIME_PERIOD,NEW,UNIT_MULT,DATA_TYPE,COUNTER_CURRENCY,BASE_CURRENCY,FREQ';
    const csv = `\ufeff${columns}\n3.073,2026-03-02,"a, b",0,OF00,ILS,USD,D\n`;
    expect(readSeries(csv, SINCE).rates).toEqual([
      { currency: 'USD', date: '2026-03-02', rate: 3.073, unit: 1 },
    ]);
  });

  it.each([
    ['of an earlier day', line('USD', '2025-12-31', '3.1')],
    ['of the basket of currencies', line('CBK_L', '2026-03-03', '4.387')],
    ['of a currency that is none', line('ZZZ', '2026-03-03', '4.387')],
    ['of an average', GOOD.replace('OF00', 'AV00')],
    ['of months', GOOD.replace(',D,', ',M,')],
    ['in another currency', GOOD.replace('USD,ILS,', 'USD,EUR,')],
    ['without a value', line('USD', '2026-03-03', '')],
    ['that is not a number, as it says', line('USD', '2026-03-03', 'NaN')],
  ])('has lines %s, which are skipped', (_, other) => {
    const { rates, refused } = read(GOOD, other);
    expect({ count: rates.length, refused }).toEqual({ count: 1, refused: [] });
  });

  it.each([
    ['nothing', line('USD', '2026-03-03', '0')],
    ['a negative rate', line('USD', '2026-03-03', '-3.07')],
    ['a power of ten', line('USD', '2026-03-03', '1e5')],
    ['a word', line('USD', '2026-03-03', 'three')],
    ['more than a rate can be', line('USD', '2026-03-03', '10000000000')],
    ['more decimals than are kept', line('USD', '2026-03-03', '3.07301')],
    ['units that nobody knows', line('USD', '2026-03-03', '3.073', '6')],
    ['no units', line('USD', '2026-03-03', '3.073', '')],
    ['no day', line('USD', '2026-02-30', '3.073')],
    ['a year', line('USD', '2027', '3.073')],
    ['the shekel', line('ILS', '2026-03-03', '1')],
    ['the same day again', line('USD', '2026-03-02', '3.5')],
    ['a hundred times the others', line('USD', '2026-03-03', '307.3')],
    ['a hundredth of the others', line('USD', '2026-03-03', '3.073', '2')],
  ])('has a line with %s, of which only that line is refused', (_, wrong) => {
    const { rates, refused } = read(GOOD, line('USD', '2026-03-04', '3.08'), wrong);
    expect(rates.map(({ rate }) => rate)).toEqual([3.073, 3.08]);
    expect(refused).toHaveLength(1);
  });

  it('accepts a fall to a tenth', () => {
    const lines = [line('LBP', '2026-03-02', '0.0220', '1'), line('LBP', '2026-03-03', '0.0022', '1')];
    expect(read(...lines, line('LBP', '2026-03-04', '0.0021', '1')).refused).toEqual([]);
  });

  it.each([
    ['empty', ''],
    ['a page', '<html><body class="a, b">Maintenance</body></html>'],
    ['a message', 'No results matching the query'],
    ['JSON', '{"exchangeRates":[{"key":"USD","currentExchangeRate":3.073,"unit":1}]}'],
    ['a header alone', HEADER],
    ['without a column', `${HEADER.replace(',OBS_VALUE', '')}\n${GOOD.replace(',3.073', '')}`],
    ['cut in a line', `${HEADER}\n${GOOD}\n${GOOD.slice(0, -9)}`],
    ['cut in a quoted field', `${HEADER}\n${GOOD}\n"RER_`],
    ['of lines of which none is a rate', `${HEADER}\n${line('USD', '2026-03-02', '0')}`],
  ])('is refused when it is %s', (_, csv) => {
    expect(() => readSeries(csv, SINCE)).toThrow(PublishedRatesUnavailable);
  });
});
