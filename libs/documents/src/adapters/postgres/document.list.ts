import type { ListDefinition, TextSearch } from '@counterfoil/lists';
import type { DocumentFilter } from '../../application/ports/document.reader';
import { ENTITY_COLUMN, HEADER_COLUMNS } from './document-columns';
import { documentsSql } from './document-counts.list';

const entityHas = (pattern: string): string => `(e.name_key like ${pattern} or e.tax_id_key like ${pattern})`;

/** The columns of `from`, which a search reads from a function. */
const LISTED = 'id, company_id, entity_id, type, status, issue_date, due_date, approval_number_status';

/** Searches the texts of the documents, and the names and tax ids of their entities. */
const search: TextSearch = (text) => {
  if (!text.isLookedUp) {
    const pattern = text.pattern();
    // Finds the matching entities once, so that names are not compared for each document.
    const where = `(d.search_text like ${pattern} or d.entity_id = any (array(
      select e.id from entities e where e.company_id = $1 and ${entityHas(pattern)})))`;
    return { from: null, where };
  }
  const [term, pattern] = [text.term(), text.pattern()];
  // A separate query for the documents of the entities, which is not run if no entity matches.
  const from = `(
    select ${LISTED} from find_documents($1, ${term}, ${pattern})
    union all
    select m.* from search_entities($1, ${term}) e
     cross join lateral (
       select ${LISTED} from documents
        where company_id = $1 and entity_id = e.id and search_text not like ${pattern} offset 0) m
     where ${entityHas(pattern)}) d`;
  return { from, where: null };
};

export const DOCUMENTS: ListDefinition<DocumentFilter, 'newest'> = {
  name: 'documents',
  from: 'documents d',
  id: 'd.id',
  scope: 'd.company_id = $1',
  filters: {
    type: 'd.type = ?',
    entityId: 'd.entity_id = ?',
    status: 'd.status = ?',
    startDate: 'd.issue_date >= ?',
    endDate: 'd.issue_date <= ?',
    // The conditions must match the indexes `documents_approval_status` and `documents_due`.
    approvalNumberStatus: 'd.approval_number_status = ?',
    overdueOn: "d.status in ('OPEN', 'PARTIALLY_PAID') and d.due_date < ?",
    search,
  },
  sorts: { newest: ['d.issue_date', 'd.id'] },
  rows: {
    columns: `${HEADER_COLUMNS}, ${ENTITY_COLUMN}`,
    joins: 'left join documents d on d.id = page.id left join entities e on e.id = d.entity_id',
  },
  total: ({ isAll }) => (isAll ? documentsSql() : null),
};
