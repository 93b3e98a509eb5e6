import { Migration, type QueryRunner } from '@counterfoil/database';

/**
 * Replaces `search_documents` by a function that also returns the columns of the filters by due date and by allocation
 * number. The next release can drop the old one, which processes of the previous release call during an upgrade.
 */
export class FoundDocuments1795790880000 extends Migration {
  override readonly name = 'FoundDocuments1795790880000';

  override async up(runner: QueryRunner): Promise<void> {
    await runner.query(FIND_DOCUMENTS);
  }
}

// Like search_entities. It compares the whole term itself, and returns only the columns that the list filters
// and sorts by, because a common term matches most documents of a company.
const FIND_DOCUMENTS = `
  create function find_documents(company bigint, term text, pattern text)
   returns table (id bigint, company_id bigint, entity_id bigint, type text, status text, issue_date date,
                  due_date date, approval_number_status text)
   language sql stable set enable_seqscan = off set enable_indexscan = off set enable_indexonlyscan = off
   set work_mem = '64MB' as $$
     select d.id, d.company_id, d.entity_id, d.type, d.status, d.issue_date, d.due_date, d.approval_number_status
       from documents d
      where search_grams(d.company_id, d.search_text) @> search_grams(company, term)
        and d.company_id = company and d.search_text like pattern
   $$`;
