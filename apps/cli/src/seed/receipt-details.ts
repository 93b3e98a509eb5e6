import type { Day } from './calendar';
import type { PlannedVendor } from './parties';

/** The contents of a receipt; amounts in agorot or cents. */
export interface ReceiptDetails {
  readonly vendor: PlannedVendor;
  readonly number: string;
  readonly day: Day;
  readonly lines: readonly { readonly text: string; readonly net: number }[];
  readonly net: number;
  readonly tax: number;
  readonly vatRate: number;
  readonly currency: string;
}
