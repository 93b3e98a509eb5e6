import { type DayRate, RATE_FILTERS, RATE_UNITS, type RateRow, type RateUnit } from '@counterfoil/expenses';
import { ApiProperty } from '@nestjs/swagger';
import {
  ChoiceProperty,
  DateProperty,
  IntegerProperty,
  NumberProperty,
  SuccessBody,
  TextProperty,
  TimeProperty,
} from '../http/answers';
import { CurrencyField, NumberChoiceField, ObjectListField, PlainDateField, RateField } from '../http/fields';
import { ListFilters } from '../http/query-fields';

const RATES_MAX = 1_000;
export const RATE_SOURCES = ['company', 'published'] as const;

export class RateToSaveBody {
  @CurrencyField({ presence: 'required', description: 'Any but ILS, which needs no rate.', example: 'USD' })
  readonly currency!: string;
  @PlainDateField({ presence: 'required', description: 'The day that the rate is of.' })
  readonly date!: string;
  @RateField({
    presence: 'required',
    description: 'The price in shekels of `unit` units of the currency.',
    example: 3.0725,
  })
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

export class ListRatesQuery extends ListFilters(RATE_FILTERS) {}

export class SavedRatesBody extends SuccessBody {
  @IntegerProperty({ description: 'The number of rates that were sent. All of them are saved.' })
  readonly saved!: number;
  @IntegerProperty({ description: 'How many of them had no rate for their currency and date before.' })
  readonly new!: number;
  @IntegerProperty({ description: 'How many of them replaced a different rate.' }) readonly revised!: number;
}

export class RateBody {
  @IntegerProperty() readonly id!: number;
  @TextProperty() readonly currency!: string;
  @DateProperty() readonly date!: string;
  @NumberProperty({ description: 'The price in shekels of `unit` units of the currency.' })
  readonly rate!: number;
  @ApiProperty({
    type: 'integer',
    enum: RATE_UNITS,
    description: 'The number of units that the rate is for.',
  })
  readonly unit!: number;
  @ChoiceProperty(RATE_SOURCES, {
    description: "The company's own wins over the one that was published for the same day.",
  })
  readonly source!: (typeof RATE_SOURCES)[number];
  @TimeProperty() readonly createdAt!: string;
  @TimeProperty({ description: 'When it was last revised.' }) readonly updatedAt!: string;
}

export function toSaveRatesInput({ rates }: SaveRatesBody): DayRate[] {
  return rates.map(({ currency, date, rate, unit }) => ({ currency, date, rate, unit: unit ?? 1 }));
}

export function presentRate({ createdAt, updatedAt, ...rate }: RateRow): RateBody {
  return { ...rate, createdAt: createdAt.toISOString(), updatedAt: updatedAt.toISOString() };
}
