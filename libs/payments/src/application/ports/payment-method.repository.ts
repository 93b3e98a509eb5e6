import type { Transaction } from '@counterfoil/kernel';
import type { Charge } from '../../domain/charge';
import type { PaymentMethod } from '../../domain/payment-method';

export interface NewPaymentMethod extends Omit<PaymentMethod, 'id'> {
  /** The provider's token, encrypted. */
  readonly sealedToken: string;
  /** False of a card that is used once. */
  readonly saved: boolean;
}

/** Writes cards. Locks of a card are taken before those of schedules. */
export abstract class PaymentMethodRepository {
  abstract insert(tx: Transaction, companyId: number, method: NewPaymentMethod): Promise<PaymentMethod>;

  /** The card of a charge, which may have been removed since. */
  abstract ofCharge(tx: Transaction, companyId: number, charge: Charge): Promise<PaymentMethod>;

  /** Keeps a saved card from being removed until the transaction ends. Null when the company has no such card. */
  abstract hold(tx: Transaction, companyId: number, id: number): Promise<PaymentMethod | null>;

  /**
   * Removes a saved card, and forgets its token, unless a charge of it is still to be settled.
   *
   * @returns the card, or null when the company has none of this id
   */
  abstract detach(tx: Transaction, companyId: number, id: number, at: Date): Promise<PaymentMethod | null>;

  /** Forgets the token of the card of a charge, if the card is not saved, or not any more, and no charge of it is open. */
  abstract forgetSpent(tx: Transaction, companyId: number, chargeId: number): Promise<void>;
}
