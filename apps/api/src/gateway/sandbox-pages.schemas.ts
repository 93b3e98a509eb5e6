import { type StartedOperation, pageStatusAfter, type PaymentPageStatus } from '@counterfoil/payments';
import { SuccessBody, TextProperty } from '../http/answers';
import { NoPanTextField } from './no-pan-field';
import { PageStatusProperty } from './payment-pages.schemas';
import { PROVIDER_TOKEN_MAX } from './tokens.schemas';

export class PayPageBody {
  @NoPanTextField({
    presence: 'required',
    max: PROVIDER_TOKEN_MAX,
    description: 'The token of a test card. There is no field for the number of a card.',
    example: 'tok_approved',
  })
  readonly providerToken!: string;
}

export class PaidPageBody extends SuccessBody {
  @PageStatusProperty('The current status of the page. ') readonly status!: PaymentPageStatus;
  @TextProperty({ nullable: true, description: 'Why the card was declined; null where not.' })
  readonly failureCode!: string | null;
}

/** The state of a page after a charge on it. */
export function presentPaidPage({ charge: { status, failureCode } }: StartedOperation): PaidPageBody {
  return { success: true, status: pageStatusAfter(status), failureCode };
}
