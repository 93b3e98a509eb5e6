import { messages } from '../app/messages.ts';

/** How documents are called, on all screens. */
export const DOCUMENT_NAMES = messages({
  en: {
    number: '{type} {number}',
    TAX_INVOICE: 'Tax invoice',
    TAX_INVOICE_RECEIPT: 'Tax invoice and receipt',
    RECEIPT: 'Receipt',
    REFUND: 'Credit invoice',
    RETURN: 'Return',
    PROFORMA: 'Proforma',
    QUOTE: 'Quote',
    ORDER: 'Order',
    DELIVERY_NOTE: 'Delivery note',
    SUPPLIER_INVOICE: 'Supplier invoice',
  },
  he: {
    number: '{type} {number}',
    TAX_INVOICE: 'חשבונית מס',
    TAX_INVOICE_RECEIPT: 'חשבונית מס קבלה',
    RECEIPT: 'קבלה',
    REFUND: 'חשבונית זיכוי',
    RETURN: 'החזרה',
    PROFORMA: 'חשבון עסקה',
    QUOTE: 'הצעת מחיר',
    ORDER: 'הזמנה',
    DELIVERY_NOTE: 'תעודת משלוח',
    SUPPLIER_INVOICE: 'חשבונית ספק',
  },
});
