import { buildIndex, Migration, type QueryRunner } from '@counterfoil/database';

/**
 * Adds the index of the document search. It is built concurrently with writes, because it takes a while for a
 * million documents, so it cannot run in a transaction.
 */
export class DocumentSearch1795471200000 extends Migration {
  override readonly name = 'DocumentSearch1795471200000';
  readonly transaction = false;

  override async up(runner: QueryRunner): Promise<void> {
    // Issuing adds to the pending list, which is cheap while the company's lock is held. A search scans that
    // list, so it is kept short.
    await buildIndex(
      runner,
      'documents_search',
      `on documents using gin (search_grams(company_id, search_text))
        with (fastupdate = on, gin_pending_list_limit = 256)`,
    );
    await runner.query(SEARCH_DOCUMENTS);
  }
}

// Like search_entities. It compares the whole term itself, and returns only the columns that the list filters
// and sorts by, because a common term matches most documents of a company.
const SEARCH_DOCUMENTS = `
  create or replace function search_documents(company bigint, term text, pattern text)
   returns table (id bigint, company_id bigint, entity_id bigint, type text, status text, issue_date date)
   language sql stable set enable_seqscan = off set enable_indexscan = off set enable_indexonlyscan = off
   set work_mem = '64MB' as $$
     select d.id, d.company_id, d.entity_id, d.type, d.status, d.issue_date
       from documents d
      where search_grams(d.company_id, d.search_text) @> search_grams(company, term)
        and d.company_id = company and d.search_text like pattern
   $$`;
