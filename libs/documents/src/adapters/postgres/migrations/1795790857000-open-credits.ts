import { buildIndex, Migration, type QueryRunner } from '@counterfoil/database';

/** Indexes the open credit notes by client, for the credit limit. Without a transaction, to allow writes. */
export class OpenCredits1795790857000 extends Migration {
  override readonly name = 'OpenCredits1795790857000';
  readonly transaction = false;

  override async up(runner: QueryRunner): Promise<void> {
    await buildIndex(
      runner,
      'documents_open_credits',
      `on documents (company_id, entity_id) include (refund_of, remaining_amount)
        where type in ('REFUND', 'RETURN') and status in ('OPEN', 'PARTIALLY_PAID') and currency = 'ILS'
          and refund_of is not null`,
    );
  }
}
