import {
  type BodyUnderTest,
  boolean,
  clearableText,
  currency,
  date,
  id,
  money,
  moneyOrZero,
  onEdit,
  required,
  text,
} from './invalid-values';

const EXPENSE = { vendorId: 1, fileId: 1, date: '2026-11-20', total: 118, tax: 18, deductableTax: 18 };
const texts = { title: clearableText(200), documentNumber: clearableText(100) };

/** Invalid values for the fields of expenses and supplier invoices, see `invalid-fields.ts`. */
export const EXPENSE_BODIES: readonly BodyUnderTest[] = [
  {
    name: 'an expense',
    method: 'POST',
    path: '/expenses/create',
    valid: EXPENSE,
    fields: {
      vendorId: required(id),
      fileId: required(id),
      date: required(date),
      total: required(money),
      tax: required(moneyOrZero),
      deductableTax: required(moneyOrZero),
      ...texts,
      currency,
      notes: clearableText(2_000),
      isEquipment: boolean,
    },
  },
  {
    name: 'an expense that is changed',
    method: 'PUT',
    path: '/expenses/edit/999999',
    valid: {},
    fields: {
      vendorId: onEdit(id),
      entityId: onEdit(id),
      fileId: onEdit(id),
      date: onEdit(date),
      total: onEdit(money),
      tax: onEdit(moneyOrZero),
      deductableTax: onEdit(moneyOrZero),
      title: onEdit(texts.title),
      documentNumber: onEdit(texts.documentNumber),
      currency: onEdit(currency),
      notes: clearableText(2_000),
      isEquipment: onEdit(boolean),
    },
  },
  {
    name: 'a supplier invoice',
    method: 'POST',
    path: '/purchase/create',
    valid: { vendorId: 1, documentNumber: 'INV-1', date: '2026-11-20', currency: 'ILS', total: 118, tax: 18 },
    fields: {
      vendorId: required(id),
      documentNumber: required(text(100)),
      date: required(date),
      title: texts.title,
      currency: required(currency),
      total: required(money),
      tax: required(moneyOrZero),
      deductableTax: moneyOrZero,
      notes: clearableText(2_000),
    },
  },
  {
    name: 'a cancellation of a supplier invoice',
    method: 'POST',
    path: '/purchase/cancel/00000000-0000-4000-8000-000000000000',
    valid: { reason: 'entered twice' },
    fields: { reason: required(text(500)) },
  },
];
