import { statement } from '@counterfoil/database';

interface Key {
  readonly id: number;
}

/** Each has one error, which its name describes. */
export const WRONG = {
  misspelt: statement<Key, { readonly name: string }>(
    'misspelt column',
    'select nmae as name from users where id = :id',
  ),
  table: statement<Key, { readonly name: string }>('no table', 'select name from user_names where id = :id'),
  parameter: statement<Key>('misspelt parameter', 'select from users where id = :ident'),
  type: statement<{ readonly id: string }>('parameter of another type', 'select from users where id = :id'),
  date: statement<{ readonly day: Date }>('Date for a day', 'select from documents where issue_date = :day'),
  list: statement<Key>('one for a list', 'select from users where id = any (:id)'),
  field: statement<{ readonly keys: readonly Key[] }>(
    'field of a list',
    'select unnest(:keys.name::text[]), unnest(:keys.id::text[])',
  ),
  missing: statement<Key, { readonly id: number; readonly name: string }>(
    'column left out',
    'select id from users where id = :id',
  ),
  superfluous: statement<Key, { readonly id: number }>(
    'column too many',
    'select id, name from users where id = :id',
  ),
  column: statement<Key, { readonly id: string }>(
    'column of another type',
    'select id from users where id = :id',
  ),
  nullable: statement<Key, { readonly taxId: string }>(
    'column that may be null',
    'select tax_id as "taxId" from companies where id = :id',
  ),
  marked: statement<Key, { readonly name: string }>(
    'marked for nothing',
    'select name from users where id = :id',
    {
      present: ['name'],
    },
  ),
  optional: statement<Key, { readonly name?: string }>(
    'never undefined',
    'select name from users where id = :id',
  ),
  twice: statement<Key, { readonly id: number }>('twice', 'select id, id from users where id = :id'),
};

/** Each is valid, although it resembles one of those above. */
export const RIGHT = {
  present: statement<Key, { readonly taxId: string }>(
    'present',
    'select tax_id as "taxId" from companies where id = :id and tax_id is not null',
    { present: ['taxId'] },
  ),
  unread: statement<Key>('unread', 'select id, name from users where id = :id'),
  large: statement<{ readonly id: bigint }>('large', 'select from users where id = :id'),
  list: statement<{ readonly keys: readonly (Key & { readonly name: string | null })[] }>(
    'list',
    'select unnest(:keys.id::bigint[]), unnest(:keys.name::text[])',
  ),
  parts: statement<
    { readonly key: Key | null; readonly span: string },
    { readonly role: 'OWNER' | 'MEMBER'; readonly at: Date; readonly keyHash: Buffer; readonly ids: number[] }
  >(
    'parts',
    `select role, created_at - :span::interval as at, key_hash as "keyHash", array[user_id::int] as ids
       from api_keys where id = :key.id`,
  ),
};

const HIDDEN = statement<Key>('hidden', 'select from users where id = :id');
export const nameOfHidden = HIDDEN.name;
