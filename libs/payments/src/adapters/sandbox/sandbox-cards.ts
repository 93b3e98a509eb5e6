import type { Card } from '../../application/ports/payment-provider';

/** A test card, and how the sandbox answers charges of it. */
export interface SandboxCard extends Card {
  readonly providerToken: string;
  /** Describes the purpose of the test card. */
  readonly description: string;
  /** If false, the answer is lost. Its outcome can still be requested. */
  readonly answers: boolean;
  /** The reason why a charge is declined; null if it is approved. */
  readonly chargeFailure: string | null;
  /** Whether a capture succeeds. */
  readonly captures: boolean;
  readonly captureFailure: string | null;
  readonly refundFailure: string | null;
}

const VALID = { expiryMonth: 12, expiryYear: 2034 } as const;
const APPROVES = {
  ...VALID,
  answers: true,
  chargeFailure: null,
  captures: true,
  captureFailure: null,
  refundFailure: null,
} as const;

/** The sandbox's cards by their tokens (contract §14.1). Their numbers are only in docs/gateway.md. */
export const SANDBOX_CARDS: readonly SandboxCard[] = [
  {
    ...APPROVES,
    providerToken: 'tok_approved',
    description: 'Everything is approved.',
    brand: 'VISA',
    last4: '4242',
  },
  {
    ...APPROVES,
    providerToken: 'tok_declined',
    description: 'Charges are declined.',
    brand: 'VISA',
    last4: '0002',
    chargeFailure: 'DECLINED',
  },
  {
    ...APPROVES,
    providerToken: 'tok_timeout',
    description: 'No answer gets through. Asked again, the provider says that all of it was approved.',
    brand: 'MASTERCARD',
    last4: '4444',
    answers: false,
  },
  {
    ...APPROVES,
    providerToken: 'tok_lost',
    description: 'No answer gets through. Asked again, the provider says that charges were declined.',
    brand: 'MASTERCARD',
    last4: '5100',
    answers: false,
    chargeFailure: 'DECLINED',
  },
  {
    ...APPROVES,
    providerToken: 'tok_authorize_only',
    description: 'Charges are authorized and take no money until they are captured, whatever was asked for.',
    brand: 'AMEX',
    last4: '0005',
    captures: false,
  },
  {
    ...APPROVES,
    providerToken: 'tok_capture_declined',
    description: 'Charges are approved, captures of authorizations declined.',
    brand: 'VISA',
    last4: '1881',
    captureFailure: 'AUTHORIZATION_EXPIRED',
  },
  {
    ...APPROVES,
    providerToken: 'tok_refund_declined',
    description: 'Charges are approved, refunds declined.',
    brand: 'DISCOVER',
    last4: '1117',
    refundFailure: 'REFUND_DECLINED',
  },
];
