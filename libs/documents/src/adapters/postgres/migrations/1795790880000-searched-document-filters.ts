import { Migration, type QueryRunner } from '@counterfoil/database';

/** Adds the columns of two filters to the result of the search, so that the list can apply them to it. */
export class SearchedDocumentFilters1795790880000 extends Migration {
  override readonly name = 'SearchedDocumentFilters1795790880000';

  override async up(runner: QueryRunner): Promise<void> {
    // `create or replace` cannot change the columns of a function. Searches that run meanwhile use the old one.
    await runner.query('drop function search_documents(bigint, text, text)');
    await runner.query(SEARCH_DOCUMENTS);
  }
}

const SEARCH_DOCUMENTS = `
  create function search_documents(company bigint, term text, pattern text)
   returns table (id bigint, company_id bigint, entity_id bigint, type text, status text, issue_date date,
                  due_date date, approval_number_status text)
   language sql stable set enable_seqscan = off set enable_indexscan = off set enable_indexonlyscan = off
   set work_mem = '64MB' as $$
     select d.id, d.company_id, d.entity_id, d.type, d.status, d.issue_date, d.due_date, d.approval_number_status
       from documents d
      where search_grams(d.company_id, d.search_text) @> search_grams(company, term)
        and d.company_id = company and d.search_text like pattern
   $$`;
