import type { ListDefinition } from '@counterfoil/lists';

/** Lists a company's rows of a table, oldest first. */
const listOldestFirst = (table: string, columns: string): ListDefinition<object, 'id'> => ({
  name: table,
  from: `${table} r`,
  id: 'r.id',
  scope: 'r.company_id = $1',
  filters: {},
  sorts: { id: ['r.id'] },
  rows: { columns, joins: `left join ${table} r on r.id = page.id` },
});

export const ADDRESSES = listOldestFirst(
  'addresses',
  'r.id, r.city, r.street, r.house_number as "houseNumber", r.zip_code as "zipCode", r.country',
);

export const CONTACTS = listOldestFirst(
  'contacts',
  `r.id, r.first_name as "firstName", r.last_name as "lastName", r.phone_number as "phoneNumber", r.email,
   (select json_build_object('id', a.id, 'city', a.city, 'street', a.street, 'houseNumber', a.house_number,
             'zipCode', a.zip_code, 'country', a.country)
      from addresses a where a.id = r.address_id) as address`,
);
