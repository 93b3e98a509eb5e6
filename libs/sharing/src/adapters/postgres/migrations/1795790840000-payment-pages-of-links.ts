import { Migration, type QueryRunner } from '@counterfoil/database';

/** Lets a link to a document name the payment page on which the document can be paid. */
export class PaymentPagesOfLinks1795790840000 extends Migration {
  override readonly name = 'PaymentPagesOfLinks1795790840000';

  override async up(runner: QueryRunner): Promise<void> {
    for (const statement of STATEMENTS) await runner.query(statement);
  }
}

// No row has a value yet, so the check of the reference is short. The index is for the erasure of pages.
const STATEMENTS = [
  `alter table document_shares add column payment_page_id bigint,
     add constraint document_shares_payment_page foreign key (company_id, payment_page_id)
       references payment_pages (company_id, id)`,
  `create index document_shares_of_payment_page on document_shares (company_id, payment_page_id)
     where payment_page_id is not null`,
];
