import { type ListDefinition, searchIn } from '@counterfoil/lists';
import type { EntityFilter, EntitySort } from '../../application/ports/entity.reader';
import type { EntityRole } from '../../domain/entity';
import { COMPANY_PART, JOINED, ROW_COLUMNS } from './entity-columns';

/** The column of the company's last change; null when it has no entities. */
const lastChange = (column: string) =>
  `(select ${column} from entity_counts where company_id = $1 order by change_number desc limit 1)`;

function listOf(role: EntityRole): ListDefinition<EntityFilter, EntitySort['by']> {
  return {
    name: `${role}s`,
    from: 'entities e',
    id: 'e.id',
    scope: `e.company_id = $1 and e.is_${role}`,
    filters: {
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
      name: ['e.name_key', 'e.id'],
      email: ['e.email_key', 'e.id'],
      taxId: ['e.tax_id_key', 'e.id'],
      type: ['e.type', 'e.id'],
    },
    rows: {
      columns: `${ROW_COLUMNS}, case when page.place = 1 then ${COMPANY_PART} end as company`,
      joins: `left join entities e on e.id = page.id and e.company_id = $1 ${JOINED}`,
    },
    version: `coalesce(${lastChange('change_number')}, 0)`,
    total: ({ filter: { search = '', email, taxId, type, hasContacts }, parameter }) => {
      if (search.trim() !== '' || email !== undefined || taxId !== undefined) return null;
      const cells = parameter(`${role}:${type ?? '%'}:${hasContacts ?? '%'}`);
      return `(select coalesce(sum(value::bigint), 0) from jsonb_each_text(${lastChange('counts')}) where key like ${cells})`;
    },
  };
}

export const ENTITY_LISTS = { vendor: listOf('vendor'), client: listOf('client') } as const;
