import type { TestDatabase } from '@counterfoil/test-harness';

/** Queries for broken invariants of documents: of one company, or of all if `$1` is null. */
const CHECKS = [
  `select count(*) || ' documents of ' || type || ', the last numbered ' || max(number) as problem from documents
    where $1::bigint is null or company_id = $1 group by company_id, type
   having count(*) <> max(number) or min(number) <> 1`,

  `select 'document ' || d.id || ' has ' || count(e.id) || ' events of its creation' as problem
     from documents d left join outbox_events e on e.company_id = d.company_id and e.type = 'document.created'
      and (e.body::jsonb #>> '{data,document,documentId}')::bigint = d.id
    where $1::bigint is null or d.company_id = $1 group by d.id having count(e.id) <> 1`,
];

/** Returns gaps in the numbers of documents, and documents that were not reported exactly once. */
export async function documentProblems(
  database: TestDatabase,
  companyId: number | null = null,
): Promise<string[]> {
  const found = await Promise.all(
    CHECKS.map((check) => database.query<{ problem: string }>(check, [companyId])),
  );
  return found.flat().map(({ problem }) => problem);
}
