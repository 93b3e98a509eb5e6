import { buildIndex, Migration, type QueryRunner } from '@counterfoil/database';

/**
 * Adds the first day on which a company may date documents, and the index of a client's open balance, which
 * credit limits use. It belongs to documents, although the day is a column of identity. The index is built
 * concurrently with writes, so there is no transaction.
 */
export class DocumentTerms1795478400000 extends Migration {
  override readonly name = 'DocumentTerms1795478400000';
  readonly transaction = false;

  override async up(runner: QueryRunner): Promise<void> {
    await runner.query('alter table companies add column if not exists books_closed_until date');
    await buildIndex(
      runner,
      'documents_open_balance',
      `on documents (company_id, entity_id) include (type, remaining_amount)
        where type in ('TAX_INVOICE', 'RECEIPT', 'REFUND', 'RETURN') and status in ('OPEN', 'PARTIALLY_PAID')
          and currency = 'ILS'`,
    );
  }
}
