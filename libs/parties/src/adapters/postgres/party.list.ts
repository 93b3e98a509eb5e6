import { byCodePoints, type ListDefinition, searchIn } from '@counterfoil/lists';
import type { PartyFilter, PartySort } from '../../application/ports/party.reader';
import type { PartyRole } from '../../domain/party';
import { JOINED, ROW_COLUMNS, selectCompanyPart } from './party-columns';

/** Selects a column of the company's last change. Null when it has no parties. */
const selectLastChange = (column: string) =>
  `(select ${column} from entity_counts where company_id = $1 order by change_number desc limit 1)`;

function defineList(role: PartyRole): ListDefinition<PartyFilter, PartySort['by']> {
  return {
    name: `${role}s`,
    from: 'entities e',
    id: 'e.id',
    scope: `e.company_id = $1 and e.is_${role}`,
    filters: {
      id: 'e.id = ?',
      type: 'e.type = ?',
      hasContacts: 'e.has_contacts = ?',
      email: 'e.email_key = lower(?)',
      taxId: 'e.tax_id_key = lower(?)',
      search: searchIn(
        (term) => `search_entities($1, ${term}) e`,
        ['e.name_key', 'e.tax_id_key', 'e.email_key'],
      ),
    },
    sorts: {
      id: ['e.id'],
      name: [byCodePoints('e.name_key'), 'e.id'],
      email: [byCodePoints('e.email_key'), 'e.id'],
      taxId: [byCodePoints('e.tax_id_key'), 'e.id'],
      type: ['e.type', 'e.id'],
    },
    rows: {
      columns: `${ROW_COLUMNS}, case when page.place = 1 then ${selectCompanyPart('$1')} end as company`,
      joins: `left join entities e on e.id = page.id and e.company_id = $1 ${JOINED}`,
    },
    version: `coalesce(${selectLastChange('change_number')}, 0)`,
    total: ({ filter: { search = '', id, email, taxId, type, hasContacts }, parameter }) => {
      if (search.trim() !== '' || [id, email, taxId].some((value) => value !== undefined)) return null;
      const keyPattern = parameter(`${role}:${type ?? '%'}:${hasContacts ?? '%'}`);
      return `(select coalesce(sum(value::bigint), 0) from jsonb_each_text(${selectLastChange('counts')}) where key like ${keyPattern})`;
    },
  };
}

export const PARTY_LISTS = { vendor: defineList('vendor'), client: defineList('client') } as const;
