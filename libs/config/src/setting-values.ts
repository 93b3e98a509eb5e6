import type { PlainDate } from '@counterfoil/kernel';

/**
 * A network that is not public but that outbound requests may reach: `10.0.0.0/8`, or `127.0.0.1/32:4319`
 * with one port only.
 */
export interface AllowedNetwork {
  readonly cidr: string;
  /** The only allowed port; null allows all. */
  readonly port: number | null;
}

/** An amount that applies from this day until the next entry's. */
export interface AmountFromDate {
  readonly from: PlainDate;
  /** In ILS, with 2 decimals. */
  readonly amount: number;
}
