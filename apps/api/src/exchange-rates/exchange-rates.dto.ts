import { RATE_UNITS, type RateUnit } from '@counterfoil/expenses';
import { CurrencyField, NumberChoiceField, ObjectListField, PlainDateField, RateField } from '../http/fields';

const RATES_MAX = 1_000;

export class RateToSaveBody {
  @CurrencyField({ presence: 'required', description: 'Any but ILS, which needs no rate.', example: 'USD' })
  readonly currency!: string;

  @PlainDateField({ presence: 'required', description: 'The day that the rate is of.' })
  readonly date!: string;

  @RateField({ presence: 'required', description: 'Shekels for so many units.', example: 3.0725 })
  readonly rate!: number;

  @NumberChoiceField({
    presence: 'optional',
    choices: RATE_UNITS,
    description:
      'How many units of the currency the rate is for, 1 if left out: 100 where yen are quoted so.',
  })
  readonly unit?: RateUnit | null;
}

export class SaveRatesBody {
  @ObjectListField({
    presence: 'required',
    of: () => RateToSaveBody,
    minItems: 1,
    maxItems: RATES_MAX,
    description: 'Each currency and date once. All of them are saved, or none.',
  })
  readonly rates!: readonly RateToSaveBody[];
}

export class ListRatesQuery {
  @CurrencyField({ presence: 'edit' })
  readonly currency?: string;

  @PlainDateField({ presence: 'edit', description: 'Rates of this day and later.' })
  readonly startDate?: string;

  @PlainDateField({ presence: 'edit', description: 'Rates of this day and earlier.' })
  readonly endDate?: string;
}
