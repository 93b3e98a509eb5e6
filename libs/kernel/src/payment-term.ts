export const PAYMENT_TERM_TYPES = ['CURRENT_PLUS_DAYS', 'DAYS_ONLY'] as const;
/** End of month plus days, or days from the document date. */
export type PaymentTermType = (typeof PAYMENT_TERM_TYPES)[number];
