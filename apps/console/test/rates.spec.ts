import { isRate, lastOfEach, type Rate, seriesOf } from '../src/screens/rates/rates';

let id = 0;
const rate = (currency: string, date: string, part: Partial<Rate> = {}): Rate => ({
  ...{ id: (id += 1), currency, date, rate: 3, unit: 1, source: 'published', createdAt: '', updatedAt: '' },
  ...part,
});

it('finds the last rate of each currency; of one day, the own one', () => {
  const newest = [
    rate('USD', '2026-11-27', { rate: 3.1 }),
    rate('USD', '2026-11-27', { rate: 3.2, source: 'company' }),
    rate('EUR', '2026-11-27', { rate: 3.9, source: 'company' }),
    rate('EUR', '2026-11-27', { rate: 3.8 }),
    rate('USD', '2026-11-26', { rate: 3.3, source: 'company' }),
  ];
  expect(lastOfEach(newest).map((one) => [one.currency, one.rate])).toEqual([
    ['EUR', 3.9],
    ['USD', 3.2],
  ]);
});

it('plots rates by source, the oldest first, for as many units as the newest one', () => {
  const newest = [
    rate('JPY', '2026-11-27', { rate: 2, unit: 100 }),
    rate('JPY', '2026-11-26', { rate: 0.03, unit: 1, source: 'company' }),
    rate('JPY', '2026-11-25', { rate: 1.9, unit: 100 }),
  ];
  expect(seriesOf(newest, (source) => source)).toEqual([
    {
      ...{ id: 'published', name: 'published' },
      points: [
        { day: '2026-11-25', value: 1.9 },
        { day: '2026-11-27', value: 2 },
      ],
    },
    { id: 'company', name: 'company', points: [{ day: '2026-11-26', value: 3 }] },
  ]);
  expect(seriesOf([], (source) => source)).toEqual([]);
});

it.each([
  ['3.0725', true],
  ['0.0001', true],
  ['3.07251', false],
  ['0', false],
  ['', false],
  ['-3', false],
])('%j as a rate: %s', (text, expected) => {
  expect(isRate(text)).toBe(expected);
});
