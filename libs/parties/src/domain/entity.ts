import type { PaymentTermType } from '@counterfoil/kernel';

export const ENTITY_TYPES = ['MURSHE', 'COMPANY', 'PATOOR'] as const;
/** Licensed dealer, company, exempt dealer. */
export type EntityType = (typeof ENTITY_TYPES)[number];

/** What a client and a vendor have in common: they are one record, and the same company can be both. */
export interface EntityDetails {
  readonly name: string;
  /** Company or dealer tax id. Not unique. */
  readonly taxId: string;
  readonly type: EntityType;
  readonly email: string | null;
  readonly phoneNumber: string | null;
  readonly paymentTermType: PaymentTermType | null;
  readonly paymentTermDays: number | null;
}
