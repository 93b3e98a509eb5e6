import {
  type PaymentPageInput,
  type CreatedPaymentPage,
  PAYMENT_PAGE_STATUSES,
  type PaymentPageRow,
  type PaymentPageStatus,
  type PaymentProviders,
} from '@counterfoil/payments';
import {
  ChoiceProperty,
  IntegerProperty,
  NumberProperty,
  SuccessBody,
  TextProperty,
  TimeProperty,
} from '../http/answers';
import { CurrencyField, IdField, MoneyField } from '../http/fields';
import { NoPanTextField } from './no-pan-field';

const DESCRIPTION_MAX = 200;

export class CreatePaymentPageBody {
  @MoneyField({ presence: 'required', example: 118 }) readonly amount!: number;
  @CurrencyField({ presence: 'optional', description: 'ILS when left out.' })
  readonly currency?: string | null;
  @NoPanTextField({
    presence: 'required',
    max: DESCRIPTION_MAX,
    description: 'The purpose of the payment, as the payer reads it.',
    example: 'Invoice 1042',
  })
  readonly description!: string;
  @IdField({ presence: 'optional', description: 'The numeric id of a client or vendor: who is to pay.' })
  readonly entityId?: number | null;
}

export class CreatedPaymentPageBody extends SuccessBody {
  @IntegerProperty() readonly paymentPageId!: number;
  @TextProperty({ description: 'The URL to send the payer to. Anyone who has it can pay.' })
  readonly url!: string;
}

export const PageStatusProperty = (subject = '') =>
  ChoiceProperty(PAYMENT_PAGE_STATUSES, {
    description: `${subject}\`PENDING\` until the outcome is known. A refund leaves it \`PAID\`.`,
  });

export class PaymentPageBody {
  @IntegerProperty() readonly id!: number;
  @NumberProperty() readonly amount!: number;
  @TextProperty({ example: 'ILS' }) readonly currency!: string;
  @TextProperty() readonly description!: string;
  @IntegerProperty({ nullable: true }) readonly entityId!: number | null;
  @PageStatusProperty() readonly status!: PaymentPageStatus;
  @IntegerProperty({ nullable: true, description: 'The last charge on it, a declined one included.' })
  readonly chargeId!: number | null;
  @TextProperty({ nullable: true, description: 'Null when its provider is not configured any more.' })
  readonly url!: string | null;
  @TimeProperty() readonly createdAt!: string;
}

export function toCreatePaymentPageInput(body: CreatePaymentPageBody): PaymentPageInput {
  const { amount, description, currency, entityId } = body;
  return { amount, description, currency: currency ?? 'ILS', entityId: entityId ?? null };
}

export const presentPaymentPage =
  (providers: PaymentProviders) =>
  (page: PaymentPageRow): PaymentPageBody => {
    const { id, amount, currency, description, entityId, status, chargeId, createdAt } = page;
    const url = providers.find(page.provider)?.pageUrl(page.pageKey) ?? null;
    const details = { id, amount, currency, description, entityId };
    return { ...details, status, chargeId, url, createdAt: createdAt.toISOString() };
  };

export function presentCreatedPaymentPage({ id, url }: CreatedPaymentPage): CreatedPaymentPageBody {
  return { success: true, paymentPageId: id, url };
}
