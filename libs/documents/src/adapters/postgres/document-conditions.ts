import { containing, GRAM_LENGTH } from '@counterfoil/database';
import type { DocumentFilter } from '../../application/ports/document.reader';

export interface Conditions {
  /** The from clause: has the filtered and sorted columns of `documents`, as `d`. */
  readonly from: string;
  /** Of `d`. */
  readonly where: string;
  /** The same of `documents d`. */
  readonly whereOfDocuments: string;
  readonly parameters: readonly unknown[];
  /** Whether it is all of the company's documents. */
  readonly all: boolean;
  /** Whether a text is searched for. */
  readonly searches: boolean;
}

/** What a filter asks of the company's documents, as SQL. */
export function conditionsOf(companyId: number, filter: DocumentFilter): Conditions {
  const parameters: unknown[] = [companyId];
  const parameter = (value: unknown) => `$${parameters.push(value)}`;
  const asked: [sql: string, value: unknown][] = [
    ['d.type =', filter.type],
    ['d.entity_id =', filter.entityId],
    ['d.status =', filter.status],
    ['d.issue_date >=', filter.startDate],
    ['d.issue_date <=', filter.endDate],
  ];
  const given = asked.filter(([, value]) => value !== undefined);
  const plain = ['d.company_id = $1', ...given.map(([sql, value]) => `${sql} ${parameter(value)}`)];
  // Blanks around it are not searched for; a blank text searches for nothing.
  const term = filter.search?.trim() ?? '';
  const search = term === '' ? NO_SEARCH : searchOf(term, parameter);
  return {
    from: search.from,
    where: [...plain, ...search.of].join(' and '),
    whereOfDocuments: [...plain, ...search.ofDocuments].join(' and '),
    parameters,
    all: given.length === 0 && term === '',
    searches: term !== '',
  };
}

interface Search {
  readonly from: string;
  readonly of: readonly string[];
  readonly ofDocuments: readonly string[];
}

const NO_SEARCH: Search = { from: 'documents d', of: [], ofDocuments: [] };

/** A term is looked up in the index by its parts of three characters; a shorter one is compared with every document. */
function searchOf(term: string, parameter: (value: unknown) => string): Search {
  const pattern = `lower(${parameter(containing(term))})`;
  if ([...term].length < GRAM_LENGTH) {
    // The entities are found first and once: a name is not compared with every document.
    const found = `(d.search_text like ${pattern} or d.entity_id = any (array(
      select e.id from entities e where e.company_id = $1 and ${entityHas(pattern)})))`;
    return { from: 'documents d', of: [found], ofDocuments: [found] };
  }
  const looked = `lower(${parameter(term)})`;
  // The documents of each entity are a query of their own, which is not run where no entity is found.
  const from = `(
    select id, company_id, entity_id, type, status, issue_date from search_documents($1, ${looked}, ${pattern})
    union all
    select m.* from search_entities($1, ${looked}) e
     cross join lateral (
       select id, company_id, entity_id, type, status, issue_date from documents
        where company_id = $1 and entity_id = e.id and search_text not like ${pattern} offset 0) m
     where ${entityHas(pattern)}) d`;
  return { from, of: [], ofDocuments: [`d.id in (select d.id from ${from})`] };
}

const entityHas = (pattern: string): string => `(e.name_key like ${pattern} or e.tax_id_key like ${pattern})`;
