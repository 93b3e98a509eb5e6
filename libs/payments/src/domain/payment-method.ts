/** The display fields of a card, without anything that could be charged. */
export interface PaymentMethod {
  readonly id: number;
  readonly provider: string;
  readonly brand: string;
  readonly last4: string;
  readonly expiryMonth: number;
  readonly expiryYear: number;
  readonly entityId: number | null;
  readonly createdAt: Date;
}
