import { statement } from '@counterfoil/database';
import type { ExpenseRow } from '../../application/ports/expense.reader';
import type { NewExpense } from '../../application/ports/expense.repository';
import type { Expense } from '../../domain/expense';
import { EXPENSE_COLUMNS } from './expense-columns';
import { EXPENSE_ROW } from './expense.list';

type ById = Pick<Expense, 'companyId' | 'id'>;

export const FIND = statement<ById, ExpenseRow>(
  'expenses: find',
  `select ${EXPENSE_ROW} from expenses e where e.company_id = :companyId and e.id = :id`,
  { prepared: true },
);

export const LOCK = statement<ById, Expense>(
  'expenses: lock',
  `select ${EXPENSE_COLUMNS} from expenses e where e.company_id = :companyId and e.id = :id for update`,
);

export const INSERT = statement<NewExpense, Expense>(
  'expenses: insert',
  `insert into expenses as e (company_id, user_id, entity_id, file_id, title, date, document_number, currency, total,
     tax, deductable_tax, is_equipment, notes, total_in_ils, exchange_rate, exchange_rate_unit, exchange_rate_date,
     created_at, updated_at)
   values (:companyId, :userId, :entityId, :fileId, :title, :date, :documentNumber, :currency, :total, :tax,
     :deductableTax, :isEquipment, :notes, :totalInILS, :exchangeRate, :exchangeRateUnit, :exchangeRateDate,
     :createdAt, :updatedAt)
   returning ${EXPENSE_COLUMNS}`,
  { prepared: true },
);

/** Two separate index look-ups, each with its own limit, because very many expenses may share one receipt. */
export const FIND_DUPLICATES = statement<ById & { readonly limit: number }, Pick<Expense, 'id'>>(
  'expenses: duplicates',
  `select id from (
     (select e.id from expenses own
       join expenses e on e.company_id = own.company_id and e.entity_id = own.entity_id
        and e.document_number_key = own.document_number_key
      where own.company_id = :companyId and own.id = :id
      order by e.id limit :limit + 1)
     union
     select e.id from expenses own
       join files receipt on receipt.id = own.file_id
       join files f on f.company_id = receipt.company_id and f.sha256 = receipt.sha256
       cross join lateral (select id from expenses where file_id = f.id order by id limit :limit + 1) e
      where own.company_id = :companyId and own.id = :id
   ) alike
   where id <> :id order by id limit :limit`,
  { prepared: true },
);
