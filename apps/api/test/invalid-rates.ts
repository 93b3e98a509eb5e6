import {
  type BodyUnderTest,
  currency,
  date,
  id,
  kind,
  objects,
  quantity as rate,
  required,
} from './invalid-values';

/** There are four allowed units. */
const unit = kind([...id.wrong, '2', '50', '10000', '-100'], false);

/** Invalid values for the fields of exchange rates, see `invalid-fields.ts`. */
export const RATE_BODIES: readonly BodyUnderTest[] = [
  {
    name: 'exchange rates',
    method: 'PUT',
    path: '/exchange-rates',
    valid: { rates: [{ currency: 'USD', date: '2026-11-20', rate: 3.0725, unit: 1 }] },
    fields: {
      rates: required(
        kind(
          [
            ...objects.wrong,
            '[]',
            JSON.stringify(
              Array.from({ length: 1_001 }, () => ({ currency: 'USD', date: '2026-11-20', rate: 3 })),
            ),
          ],
          false,
        ),
      ),
      'rates[0]': kind(['5', '"x"', 'null', 'true'], false),
      'rates[0].currency': required(kind([...currency.wrong, '"ILS"'], false)),
      'rates[0].date': required(kind([...date.wrong, '"1969-12-31"', '"2101-01-01"'], false)),
      'rates[0].rate': required(rate),
      'rates[0].unit': unit,
    },
  },
];
