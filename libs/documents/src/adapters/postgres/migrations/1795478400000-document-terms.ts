import { buildIndex, Migration, type QueryRunner } from '@counterfoil/database';

/**
 * The day before which a company dates no document, and the index of what a client owes, which credit limits add up. It
 * stands with documents, though the day is a column of identity's.
 * The index is built beside writes, hence no transaction.
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
