import {
  BEGINNING_MAX,
  containing,
  EPOCH,
  GRAM_LENGTH,
  type PreparedStatement,
  type Statement,
  walkTo,
} from '@counterfoil/database';
import type { PageRequest } from '@counterfoil/pagination';
import type { EntityFilter, EntityList, EntitySort } from '../../application/ports/entity.reader';
import { COMPANY_PART, JOINED, ROW_COLUMNS } from './entity-columns';

/** Which of a company's entities a list holds, and in which order. The first parameter is the company. */
export interface EntityListSql {
  /** What has the columns of `entities` that are filtered and sorted by, as `e`. */
  readonly from: string;
  /** Of `e`. */
  readonly where: string;
  readonly parameters: readonly unknown[];
  /** What is sorted by before the id, of `e`; empty where it is the id alone. */
  readonly sortKey: string;
  readonly descending: boolean;
  /** The pattern of the cells of `entity_counts` that count it; null where they do not. */
  readonly cells: string | null;
}

const SORT_KEYS: Record<EntitySort['by'], string> = {
  id: '',
  name: 'e.name_key',
  email: 'e.email_key',
  taxId: 'e.tax_id_key',
  type: 'e.type',
};

/** The company's last change and what it counts; of a company that has no entities, the change is 0. */
const LAST_CHANGE = `
  (select 1) always left join lateral (
    select change_number, counts from entity_counts where company_id = $1 order by change_number desc limit 1
  ) last on true`;
const CHANGE = `${EPOCH} as epoch, coalesce(last.change_number, 0) as "changeNumber"`;

export function entityListSql(companyId: number, { role, filter, sort }: EntityList): EntityListSql {
  const search = filter.search?.trim() ?? '';
  const parameters: unknown[] = [companyId];
  const parameter = (value: unknown) => `$${parameters.push(value)}`;
  const asked: (string | false)[] = [
    filter.type !== undefined && `e.type = ${parameter(filter.type)}`,
    filter.hasContacts !== undefined && `e.has_contacts = ${parameter(filter.hasContacts)}`,
    filter.email !== undefined && `e.email_key = lower(${parameter(filter.email)})`,
    filter.taxId !== undefined && `e.tax_id_key = lower(${parameter(filter.taxId)})`,
    search !== '' && !isGram(search) && containsSql(`lower(${parameter(containing(search))})`),
  ];
  const isLookedUp = [...search].length >= GRAM_LENGTH;
  return {
    from: isLookedUp ? `search_entities($1, lower(${parameter(search)})) e` : 'entities e',
    where: ['e.company_id = $1', `e.is_${role}`, ...asked.filter((condition) => condition !== false)].join(
      ' and ',
    ),
    parameters,
    sortKey: SORT_KEYS[sort.by],
    descending: sort.descending,
    cells: cellsOf(role, { ...filter, search }),
  };
}

function cellsOf(
  role: EntityList['role'],
  { search, type, email, taxId, hasContacts }: EntityFilter,
): string | null {
  if (search !== '' || email !== undefined || taxId !== undefined) return null;
  return `${role}:${type ?? '%'}:${hasContacts ?? '%'}`;
}

/** Whether the index alone tells what contains it. In lower case it may be longer than it was sent. */
function isGram(search: string): boolean {
  return [...search].length === GRAM_LENGTH && [...search.toLowerCase()].length === GRAM_LENGTH;
}

function containsSql(pattern: string): string {
  return `(e.name_key like ${pattern} or e.tax_id_key like ${pattern} or e.email_key like ${pattern})`;
}

/** The beginning of a list, and its total. Answers one row: `epoch`, `changeNumber`, `total`, `ids` with commas between. */
export function lookSql(list: EntityListSql): Statement {
  const { from, where, parameters, sortKey, cells } = list;
  const next = parameters.length + 1;
  const ids = (source: string, order: string) =>
    `array_to_string(array(select id from ${source} order by ${order} limit ${BEGINNING_MAX}), ',') as ids`;
  if (cells !== null) {
    const total = `(select sum(value::bigint) from jsonb_each_text(last.counts) where key like $${next})`;
    return [
      `select ${CHANGE}, coalesce(${total}, 0) as total, ${ids(`${from} where ${where}`, orderBy(list))}
         from ${LAST_CHANGE}`,
      [...parameters, cells],
    ];
  }
  // Whatever matches is looked at once, to be counted and to be sorted.
  return [
    `with matching as materialized (select e.id, ${sortKey || 'null'} as key from ${from} where ${where})
     select ${CHANGE}, (select count(*) from matching) as total,
            ${ids('matching e', orderBy({ ...list, sortKey: sortKey && 'e.key' }))}
       from ${LAST_CHANGE}`,
    parameters,
  ];
}

/** The ids of a page. What is before it is skipped, from the nearer end; of a list that is counted in the index alone. */
export function walkSql(list: EntityListSql, total: number, page: PageRequest): Statement {
  const { from, where, parameters } = list;
  const ids = `select e.id from ${from} where ${where}`;
  return walkTo({ ids, parameters, orderBy: (fromEnd) => orderBy(list, fromEnd) }, total, page);
}

/** Entities by company and ids, in the order of the ids. Answers a row each, the first one with `company`. */
export const ENTITIES_BY_ID: PreparedStatement = {
  name: 'entities-by-id',
  text: `
    select ${ROW_COLUMNS}, case when asked.place = 1 then ${COMPANY_PART} end as company
      from unnest($2::bigint[]) with ordinality as asked (id, place)
      join entities e on e.id = asked.id and e.company_id = $1 ${JOINED}
     order by asked.place`,
};

/** The same where there are no ids, and so no row to carry it. */
export const COMPANY_ALONE: PreparedStatement = {
  name: 'entities-company',
  text: `select ${COMPANY_PART} as company`,
};

function orderBy({ sortKey, descending }: EntityListSql, fromEnd = false): string {
  const direction = descending !== fromEnd ? 'desc' : 'asc';
  return sortKey === '' ? `e.id ${direction}` : `${sortKey} ${direction}, e.id ${direction}`;
}
