import { fine, generatedId, money, wholeNumber } from '@counterfoil/database';
import { EntitySchema } from 'typeorm';
import type { Expense } from '../../domain/expense';

/** Made by the database of what is searched and sorted by, in lower case. */
interface Keys {
  readonly titleKey: string;
  readonly documentNumberKey: string | null;
  readonly notesKey: string | null;
}

const key = { type: 'text', select: false, insert: false, update: false } as const;

export const ExpenseSchema = new EntitySchema<Expense & Keys>({
  name: 'Expense',
  tableName: 'expenses',
  columns: {
    id: generatedId,
    companyId: { ...wholeNumber, name: 'company_id' },
    userId: { ...wholeNumber, name: 'user_id' },
    entityId: { ...wholeNumber, name: 'entity_id' },
    fileId: { ...wholeNumber, name: 'file_id' },
    title: { type: 'text', nullable: true },
    date: { type: 'date' },
    documentNumber: { type: 'text', name: 'document_number', nullable: true },
    currency: { type: 'text' },
    total: money,
    tax: money,
    deductableTax: { ...money, name: 'deductable_tax' },
    isEquipment: { type: 'boolean', name: 'is_equipment' },
    notes: { type: 'text', nullable: true },
    totalInILS: { ...money, name: 'total_in_ils', nullable: true },
    exchangeRate: { ...fine, name: 'exchange_rate', nullable: true },
    exchangeRateUnit: { type: 'integer', name: 'exchange_rate_unit', nullable: true },
    exchangeRateDate: { type: 'date', name: 'exchange_rate_date', nullable: true },
    createdAt: { type: 'timestamptz', name: 'created_at' },
    updatedAt: { type: 'timestamptz', name: 'updated_at' },
    titleKey: { ...key, name: 'title_key' },
    documentNumberKey: { ...key, name: 'document_number_key', nullable: true },
    notesKey: { ...key, name: 'notes_key', nullable: true },
  },
});
