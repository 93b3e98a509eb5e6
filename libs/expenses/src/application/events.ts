import {
  CURRENCY,
  defineEvents,
  flag,
  formatted,
  integer,
  type NewEvent,
  number,
  orNull,
  text,
  titled,
  type ValueOf,
} from '@counterfoil/outbox';
import type { Expense } from '../domain/expense';
import { ratePerUnit } from '../domain/rate-per-unit';

/** Without purpose and notes, which must not leave the service. */
const EXPENSE = titled('Expense', {
  id: integer('The numeric id of the expense.'),
  entityId: integer("The vendor's numeric entity id."),
  userId: integer('The numeric id of the user who recorded it.'),
  fileId: integer('The numeric id of the receipt.'),
  date: formatted('date', "The date on the vendor's document."),
  documentNumber: orNull(text('The document number of the vendor.')),
  currency: CURRENCY,
  total: number('Including tax.'),
  tax: number('The VAT in it.'),
  deductableTax: number('The reclaimable part of the VAT.'),
  isEquipment: flag('Whether it is a fixed asset rather than a running cost.'),
  totalInILS: orNull(number('The total in shekels; null when no rate was available.')),
  exchangeRate: orNull(
    number('Shekels for one unit of the currency; null for shekels, and if there was no rate.'),
  ),
  exchangeRateDate: orNull(formatted('date', 'The day of that rate.')),
  createdAt: formatted('date-time', 'When it was recorded, in UTC.'),
  updatedAt: formatted(
    'date-time',
    'When it last changed, in UTC. Ignore an event that is older than what you know of the expense.',
  ),
});

const RECORDED: ValueOf<typeof EXPENSE> = {
  id: 2207,
  entityId: 411,
  userId: 5,
  fileId: 930,
  date: '2026-11-20',
  documentNumber: 'R-20417',
  currency: 'USD',
  total: 120,
  tax: 0,
  deductableTax: 0,
  isEquipment: false,
  totalInILS: null,
  exchangeRate: null,
  exchangeRateDate: null,
  createdAt: '2026-11-22T13:30:00.201Z',
  updatedAt: '2026-11-22T13:30:00.201Z',
};
const CONVERTED: ValueOf<typeof EXPENSE> = {
  ...RECORDED,
  totalInILS: 391.44,
  exchangeRate: 3.262,
  exchangeRateDate: '2026-11-20',
  updatedAt: '2026-11-22T13:45:00.514Z',
};

export const EXPENSE_EVENTS = defineEvents({
  'expense.created': {
    description: 'An expense was recorded.',
    data: { expense: EXPENSE },
    example: {
      id: 'evt_2e7a90c4d1f84b3592a6c8e50b7d431f',
      created: 1795354200,
      data: { expense: RECORDED },
    },
  },
  'expense.updated': {
    description: 'An expense was changed, or was converted by a rate that had been missing.',
    data: { expense: EXPENSE },
    example: {
      id: 'evt_8b13f6e02c9d47a5b4e7019d5a6c28f3',
      created: 1795355100,
      data: { expense: CONVERTED },
    },
  },
  'expense.deleted': {
    description: 'An expense was deleted; the event shows it as it was.',
    data: { expense: EXPENSE },
    example: {
      id: 'evt_67d0a2f9e4b1438c8f25d3b19e0c7a64',
      created: 1795355400,
      data: { expense: { ...CONVERTED, updatedAt: '2026-11-22T13:50:00.090Z' } },
    },
  },
});

declare module '@counterfoil/outbox' {
  interface ContextEvents {
    readonly expenses: typeof EXPENSE_EVENTS;
  }
}

/** Creates an event with the state of the expense, or with its last state if it was deleted. */
export function expenseEvent(type: keyof typeof EXPENSE_EVENTS, expense: Expense): NewEvent {
  return {
    type,
    data: {
      expense: {
        id: expense.id,
        entityId: expense.entityId,
        userId: expense.userId,
        fileId: expense.fileId,
        date: expense.date,
        documentNumber: expense.documentNumber,
        currency: expense.currency,
        total: expense.total,
        tax: expense.tax,
        deductableTax: expense.deductableTax,
        isEquipment: expense.isEquipment,
        totalInILS: expense.totalInILS,
        exchangeRate: ratePerUnit(expense),
        exchangeRateDate: expense.exchangeRateDate,
        createdAt: expense.createdAt.toISOString(),
        updatedAt: expense.updatedAt.toISOString(),
      },
    },
  };
}
