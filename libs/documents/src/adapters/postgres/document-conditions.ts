import { containing } from '@counterfoil/database';
import type { DocumentFilter } from '../../application/ports/document.reader';

export interface Conditions {
  /** Of `documents d`. */
  readonly where: string;
  readonly parameters: readonly unknown[];
  /** Whether it is all of the company's documents. */
  readonly all: boolean;
  /** Whether a text is searched for, which no index helps with. */
  readonly searches: boolean;
}

/** What a filter asks of the company's documents, as SQL. */
export function conditionsOf(companyId: number, filter: DocumentFilter): Conditions {
  // Blanks around it are not searched for; a blank text searches for nothing.
  const search = filter.search?.trim();
  const asked: [sql: (parameter: string) => string, value: unknown][] = [
    [(p) => `d.type = ${p}`, filter.type],
    [(p) => `d.entity_id = ${p}`, filter.entityId],
    [(p) => `d.status = ${p}`, filter.status],
    [(p) => `d.issue_date >= ${p}`, filter.startDate],
    [(p) => `d.issue_date <= ${p}`, filter.endDate],
    [searchSql, search ? containing(search) : undefined],
  ];
  const given = asked.filter(([, value]) => value !== undefined);
  return {
    where: ['d.company_id = $1', ...given.map(([sql], index) => sql(`$${index + 2}`))].join(' and '),
    parameters: [companyId, ...given.map(([, value]) => value)],
    all: given.length === 0,
    searches: Boolean(search),
  };
}

/** The entities are found first and once, and the documents by them: a name is not compared with every document. */
function searchSql(pattern: string): string {
  return `(
    d.search_text like lower(${pattern})
    or d.entity_id = any (array(
      select e.id from entities e where e.company_id = $1 and (e.name_key like lower(${pattern}) or e.tax_id_key like lower(${pattern})))))`;
}
