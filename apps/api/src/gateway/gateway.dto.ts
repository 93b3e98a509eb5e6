import type { Interval } from '@counterfoil/kernel';
import { CHARGE_STATUSES, type ChargeStatus } from '@counterfoil/payments';
import {
  BooleanField,
  ChoiceField,
  CurrencyField,
  IdField,
  IntervalField,
  MoneyField,
  PlainDateField,
  TextField,
} from '../http/fields';
import { IdQueryField } from '../http/query-fields';
import { CardlessTextField } from './cardless-field';

const PROVIDER_MAX = 50;
const PROVIDER_TOKEN_MAX = 500;
const DESCRIPTION_MAX = 200;
const REASON_MAX = 500;

const TOKEN = { description: 'The id of a saved card.' };
const CURRENCY = { presence: 'optional', description: 'ILS when left out.' } as const;
const ENTITY = 'The numeric id of a client or vendor';

export class AttachTokenBody {
  @TextField({ presence: 'required', max: PROVIDER_MAX, example: 'sandbox' })
  readonly provider!: string;

  @CardlessTextField({
    presence: 'required',
    max: PROVIDER_TOKEN_MAX,
    description: 'What the provider gave for the card. Never its number, which is refused.',
    example: 'tok_approved',
  })
  readonly providerToken!: string;

  @IdField({ presence: 'optional', description: `${ENTITY}: whose card it is.` })
  readonly entityId?: number | null;
}

export class CreateChargeBody {
  @IdField({ presence: 'required', ...TOKEN })
  readonly tokenId!: number;

  @MoneyField({ presence: 'required', example: 118 })
  readonly amount!: number;

  @CurrencyField(CURRENCY)
  readonly currency?: string | null;

  @IdField({ presence: 'optional', description: `${ENTITY}; whose card it is when left out.` })
  readonly entityId?: number | null;

  @IdField({ presence: 'optional', description: 'The numeric id of the document that is paid for.' })
  readonly documentId?: number | null;

  @BooleanField({
    presence: 'optional',
    description: 'false only authorizes the amount, to be captured or canceled later. true when left out.',
  })
  readonly capture?: boolean | null;
}

export class CaptureChargeBody {
  @MoneyField({
    presence: 'optional',
    description: 'At most what is authorized; all of it when left out. The rest is released.',
  })
  readonly amount?: number | null;
}

export class RefundChargeBody {
  @MoneyField({
    presence: 'optional',
    description: 'At most what was captured and is not refunded; all of that when left out.',
  })
  readonly amount?: number | null;

  @CardlessTextField({ presence: 'optional', max: REASON_MAX, mayBeEmpty: true, example: 'Returned' })
  readonly reason?: string | null;
}

export class ListChargesQuery {
  @ChoiceField({ presence: 'edit', choices: CHARGE_STATUSES })
  readonly status?: ChargeStatus;

  @IdQueryField(TOKEN)
  readonly tokenId?: number;

  @IdQueryField({ description: `${ENTITY}.` })
  readonly entityId?: number;

  @IdQueryField({ description: 'The numeric id of a document.' })
  readonly documentId?: number;
}

export class CreatePaymentPageBody {
  @MoneyField({ presence: 'required', example: 118 })
  readonly amount!: number;

  @CurrencyField(CURRENCY)
  readonly currency?: string | null;

  @CardlessTextField({
    presence: 'required',
    max: DESCRIPTION_MAX,
    description: 'What is paid for, as the payer reads it.',
    example: 'Invoice 1042',
  })
  readonly description!: string;

  @IdField({ presence: 'optional', description: `${ENTITY}: who is to pay.` })
  readonly entityId?: number | null;
}

export class PayPageBody {
  @CardlessTextField({
    presence: 'required',
    max: PROVIDER_TOKEN_MAX,
    description: 'The token of a test card. There is no field for the number of a card.',
    example: 'tok_approved',
  })
  readonly providerToken!: string;
}

export class CreateRecurringPaymentBody {
  @IdField({ presence: 'required', ...TOKEN })
  readonly tokenId!: number;

  @MoneyField({ presence: 'required', example: 59 })
  readonly amount!: number;

  @CurrencyField(CURRENCY)
  readonly currency?: string | null;

  @IntervalField()
  readonly interval!: Interval;

  @PlainDateField({
    presence: 'required',
    description:
      'The first day, in Israel, on which a charge is due. Of those in the past, up to a year, each is charged at once.',
    example: '2027-01-31',
  })
  readonly nextRunDate!: string;

  @IdField({ presence: 'optional', description: `${ENTITY}; whose card it is when left out.` })
  readonly entityId?: number | null;
}
