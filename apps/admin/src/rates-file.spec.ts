import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import type { DayRate } from '@counterfoil/expenses';
import { checkRatesFile, ratesIn } from './rates-file';

describe('a file of rates', () => {
  let folder: string;
  let file: string;

  beforeAll(() => {
    folder = fs.mkdtempSync(path.join(os.tmpdir(), 'rates-'));
    file = path.join(folder, 'rates.csv');
  });
  afterAll(() => fs.rmSync(folder, { recursive: true }));

  const read = async (content: string | Buffer) => {
    fs.writeFileSync(file, content);
    const count = await checkRatesFile(file);
    const rates: DayRate[] = [];
    for await (const rate of ratesIn(file)) rates.push(rate);
    expect(rates).toHaveLength(count);
    return rates.map(({ currency, date, rate, unit }) => `${currency} ${date} ${rate} /${unit}`);
  };
  const faultOf = async (content: string | Buffer) => {
    fs.writeFileSync(file, content);
    const fault = await checkRatesFile(file).catch((error: unknown) => error);
    expect(fault).toBeInstanceOf(Error);
    return (fault as Error).message.replaceAll(file, 'FILE').split('\n');
  };

  it.each([
    ['with the header of contract §11.10', 'currency,date,rate\nUSD,2026-11-20,3.0725\nEUR,2026-11-20,3.6\n'],
    ['without a last end of line', 'currency,date,rate\nUSD,2026-11-20,3.0725\nEUR,2026-11-20,3.6'],
    [
      'as a spreadsheet saves it',
      '\ufeffcurrency,date,rate\r\n"USD",2026-11-20,3.0725\r\nEUR,2026-11-20,3.6\r\n',
    ],
    [
      'with blanks and empty lines',
      'currency, date, rate\n\nUSD , 2026-11-20, 3.0725\n\n\nEUR,2026-11-20,3.60\n\n',
    ],
    ['with units', 'currency,date,rate,unit\nUSD,2026-11-20,3.0725,1\nEUR,2026-11-20,3.6,\n'],
  ])('is read %s', async (_, content) => {
    expect(await read(content)).toEqual(['USD 2026-11-20 3.0725 /1', 'EUR 2026-11-20 3.6 /1']);
  });

  it('is read with rates for 100 yen', async () => {
    expect(await read('currency,date,rate,unit\nJPY,2026-11-20,1.971,100\n')).toEqual([
      'JPY 2026-11-20 1.971 /100',
    ]);
  });

  it('names every line that is wrong, by its number in the file', async () => {
    const lines = [
      'currency,date,rate',
      'USD,2026-11-20,3.0725',
      '',
      'usd,2026-11-19,3.0725',
      'ZZZ,2026-11-19,3.0725',
      'ILS,2026-11-19,1',
      'EUR,2026-02-30,3.6',
      'EUR,1969-12-31,3.6',
      'EUR,2026-11-19,0',
      'EUR,2026-11-19,-1',
      'EUR,2026-11-19,3.60001',
      'EUR,2026-11-19,1e3',
      'EUR,2026-11-19,"3,6"',
      'EUR,2026-11-19,10000000000',
      'EUR,2026-11-19',
      'EUR,2026-11-19,3.6,1',
      'USD,2026-11-20,3.08',
    ];
    const [first, ...faults] = await faultOf(lines.join('\n'));
    expect(first).toBe('nothing was imported from FILE:');
    expect(faults.map((fault) => /^line (\d+): (\w+)/.exec(fault)?.slice(1).join(' '))).toEqual([
      ...['4 currency', '5 currency', '6 currency', '7 date', '8 date'],
      ...['9 rate', '10 rate', '11 rate', '12 rate', '13 rate', '14 rate', '15 has', '16 has', '17 has'],
    ]);
    expect(faults.at(-1)).toBe('line 17: has the currency and date of line 2');
  });

  it('is wrong with units that are none', async () => {
    expect(await faultOf('currency,date,rate,unit\nJPY,2026-11-20,1.971,50\n')).toEqual([
      'nothing was imported from FILE:',
      'line 2: unit must be one of 1, 10, 100, 1000',
    ]);
  });

  it('shows a limited number of faults, and how many more there are', async () => {
    const wrong = Array.from({ length: 150 }, () => 'USD,2026-11-20,x');
    const faults = await faultOf(['currency,date,rate', ...wrong].join('\n'));
    expect(faults).toHaveLength(102);
    expect(faults.at(-1)).toBe('and 50 more');
  });

  const header = 'the first line of FILE must be currency,date,rate or currency,date,rate,unit';
  it.each([
    ['empty', '', /^FILE is empty: its first line must be currency,date,rate/],
    ['empty lines', '\n\n', /^FILE is empty/],
    ['a header alone', 'currency,date,rate\n', /^FILE has no rates$/],
    ['rates without a header', 'USD,2026-11-20,3.0725\n', new RegExp(`^${header}$`)],
    ['in another order', 'date,currency,rate\n2026-11-20,USD,3.0725\n', new RegExp(`^${header}$`)],
    ['with other signs between', 'currency;date;rate\nUSD;2026-11-20;3.0725\n', new RegExp(`^${header}$`)],
    [
      'of bytes that are no text',
      Buffer.from([0x89, 0x50, 0x4e, 0x47, 0xff, 0x00]),
      new RegExp(`^${header}$`),
    ],
    [
      'with a quote that nothing ends',
      'currency,date,rate\n"USD,2026-11-20,3\n',
      /^FILE is not CSV from line 2 on/,
    ],
    ['of one endless line', 'x'.repeat(100_000), /^FILE is not CSV from line 1 on/],
  ])('is refused when it is %s', async (_, content, message) => {
    const [fault] = await faultOf(content);
    expect(fault).toMatch(message);
  });

  it('is refused when it is not there, or is a folder', async () => {
    for (const other of [path.join(folder, 'none.csv'), folder])
      await expect(checkRatesFile(other)).rejects.toThrow(`${other} is not a file that can be read`);
  });

  it('may be large, and not too large', async () => {
    const days = Array.from({ length: 10_000 }, (_, at) =>
      new Date(Date.UTC(1971, 0, 1 + at)).toISOString().slice(0, 10),
    );
    const lines = ['USD', 'EUR'].flatMap((currency) => days.map((day) => `${currency},${day},3.5`));
    expect(await read(['currency,date,rate', ...lines].join('\n'))).toHaveLength(20_000);
    await expect(checkRatesFile(file, 19_999)).rejects.toThrow('has more than 19999 rates: divide it');
  });
});
