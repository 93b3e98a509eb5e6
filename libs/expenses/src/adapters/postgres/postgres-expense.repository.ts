import { isForeignKeyViolation, managerOf, runPrepared } from '@counterfoil/database';
import { type Transaction, unknownReference } from '@counterfoil/kernel';
import { Injectable } from '@nestjs/common';
import { ExpenseRepository, type NewExpense } from '../../application/ports/expense.repository';
import type { Expense } from '../../domain/expense';
import { EXPENSE_COLUMNS } from './expense-columns';
import { ExpenseSchema } from './expense.schema';

const INSERT = {
  name: 'insert-expense',
  text: `
    insert into expenses as e (company_id, user_id, entity_id, file_id, title, date, document_number, currency, total,
      tax, deductable_tax, is_equipment, notes, total_in_ils, exchange_rate, exchange_rate_unit, exchange_rate_date,
      created_at, updated_at)
    values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $18)
    returning ${EXPENSE_COLUMNS}`,
};

/** Two look-ups by index, of which each goes no further than it must: one receipt may stand behind very many. */
const DUPLICATES = {
  name: 'duplicates-of-expense',
  text: `
    select id from (
      (select e.id from expenses own
        join expenses e on e.company_id = own.company_id and e.entity_id = own.entity_id
         and e.document_number_key = own.document_number_key
       where own.company_id = $1 and own.id = $2
       order by e.id limit $3 + 1)
      union
      select e.id from expenses own
        join files receipt on receipt.id = own.file_id
        join files f on f.company_id = receipt.company_id and f.sha256 = receipt.sha256
        cross join lateral (select id from expenses where file_id = f.id order by id limit $3 + 1) e
       where own.company_id = $1 and own.id = $2
    ) alike
    where id <> $2 order by id limit $3`,
};

@Injectable()
export class PostgresExpenseRepository extends ExpenseRepository {
  override async insert(tx: Transaction, expense: NewExpense): Promise<Expense> {
    const [inserted] = await runPrepared<Expense>(tx, INSERT, [
      ...[expense.companyId, expense.userId, expense.entityId, expense.fileId, expense.title, expense.date],
      ...[expense.documentNumber, expense.currency, expense.total, expense.tax, expense.deductableTax],
      ...[expense.isEquipment, expense.notes, expense.totalInILS, expense.exchangeRate],
      ...[expense.exchangeRateUnit, expense.exchangeRateDate, expense.createdAt],
    ]).catch(throwIfFileIsGone);
    if (!inserted) throw new Error('the insert returned no row');
    return inserted;
  }

  override async lock(tx: Transaction, companyId: number, id: number): Promise<Expense | null> {
    const [found] = await managerOf(tx).query<Expense[]>(
      `select ${EXPENSE_COLUMNS} from expenses e
        where e.company_id = $1 and e.id = $2 for update`,
      [companyId, id],
    );
    return found ?? null;
  }

  override async save(tx: Transaction, { id, companyId, ...expense }: Expense): Promise<void> {
    await managerOf(tx).update(ExpenseSchema, { id, companyId }, expense).catch(throwIfFileIsGone);
  }

  override async remove(tx: Transaction, companyId: number, id: number): Promise<void> {
    await managerOf(tx).delete(ExpenseSchema, { id, companyId });
  }

  override async duplicatesOf(
    tx: Transaction,
    { companyId, id }: Pick<Expense, 'companyId' | 'id'>,
    limit: number,
  ): Promise<readonly number[]> {
    const found = await runPrepared<Pick<Expense, 'id'>>(tx, DUPLICATES, [companyId, id, limit]);
    return found.map((duplicate) => duplicate.id);
  }
}

/** The file was there when the references were looked up, and was deleted since. */
function throwIfFileIsGone(error: unknown): never {
  throw isForeignKeyViolation(error, 'expenses_file_id_fkey') ? unknownReference('fileId', 'file') : error;
}
