const EXPENSE = {
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

const CONVERTED_EXPENSE = {
  ...EXPENSE,
  totalInILS: 391.44,
  exchangeRate: 3.262,
  exchangeRateDate: '2026-11-20',
  updatedAt: '2026-11-22T13:45:00.514Z',
};

/** Examples of the events that the specification does not know. */
export const OWN_EXAMPLES = {
  'expense.created': {
    id: 'evt_2e7a90c4d1f84b3592a6c8e50b7d431f',
    created: 1795354200,
    data: { expense: EXPENSE },
  },
  'expense.updated': {
    id: 'evt_8b13f6e02c9d47a5b4e7019d5a6c28f3',
    created: 1795355100,
    data: { expense: CONVERTED_EXPENSE },
  },
  'expense.deleted': {
    id: 'evt_67d0a2f9e4b1438c8f25d3b19e0c7a64',
    created: 1795355400,
    data: { expense: { ...CONVERTED_EXPENSE, updatedAt: '2026-11-22T13:50:00.090Z' } },
  },
  'retainer.document_refused': {
    id: 'evt_a4c81f3e7b0d4652981ce6f20d5b73a9',
    created: 1795355700,
    data: {
      retainer: { id: 14, entityId: 318, documentType: 'TAX_INVOICE', currency: 'ILS' },
      runDate: '2026-11-22',
      code: 'VALIDATION_FAILED',
      error: 'items must not total more than 999999999999.99',
    },
  },
  'stock.movement.recorded': {
    id: 'evt_0d4be6a1f7c3492f8b15e9a0c72d8634',
    created: 1795356000,
    data: {
      movement: {
        id: 88213,
        inventoryId: 57,
        productId: 12,
        warehouseId: 3,
        userId: 5,
        movementType: 'RESERVE',
        quantity: 2.5,
        previousQuantity: 40,
        newQuantity: 40,
        previousReservedQuantity: 28,
        newReservedQuantity: 30.5,
        counterpartInventoryId: null,
        referenceId: 7731,
        referenceType: 'SALE',
        createdAt: '2026-11-22T14:00:00.127Z',
      },
    },
  },
  'stock.low': {
    id: 'evt_e91c05f83b2a4d7796f4d1b8507ea32c',
    created: 1795356000,
    data: {
      inventory: {
        id: 57,
        productId: 12,
        warehouseId: 3,
        quantity: 40,
        reservedQuantity: 30.5,
        availableQuantity: 9.5,
        lowStockThreshold: 10,
      },
      movementId: 88213,
    },
  },
} as const;
