import type { Transaction } from '@counterfoil/kernel';
import type { Charge } from '../../domain/charge';
import type { PaymentMethod } from '../../domain/payment-method';

export interface NewPaymentMethod extends Omit<PaymentMethod, 'id'> {
  /** The provider's token, encrypted. */
  readonly sealedToken: string;
  /** False for a card that is used only once. */
  readonly saved: boolean;
}

/** Writes payment methods. Lock order: cards before schedules. */
export abstract class PaymentMethodRepository {
  abstract insert(tx: Transaction, companyId: number, method: NewPaymentMethod): Promise<PaymentMethod>;

  /** Returns the card of a charge, even if it was removed since. */
  abstract ofCharge(tx: Transaction, companyId: number, charge: Charge): Promise<PaymentMethod>;

  /**
   * Prevents the removal of a saved card until the end of the transaction. Returns null if the company has no
   * such card.
   */
  abstract hold(tx: Transaction, companyId: number, id: number): Promise<PaymentMethod | null>;

  /**
   * Removes a saved card. Its token is deleted too, unless a charge of the card is unsettled.
   *
   * @returns the card, or null if the company has no card with this id
   */
  abstract detach(tx: Transaction, companyId: number, id: number, at: Date): Promise<PaymentMethod | null>;

  /**
   * Deletes the token of the card of a charge if the card is not saved, or has been removed, and has no open
   * charge.
   */
  abstract forgetSpent(tx: Transaction, companyId: number, chargeId: number): Promise<void>;
}
