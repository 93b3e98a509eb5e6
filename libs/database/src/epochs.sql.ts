import { statement } from './sql-statement';

/** The current epoch as an SQL value. As a subselect it is computed once for all rows of a statement. */
export const EPOCH = '(select current_epoch())';

export const FIND_REFUSED_FUNCTIONS = statement<
  { readonly names: readonly string[] },
  { readonly name: string }
>(
  'epochs: find refused functions',
  "select name from unnest(:names::text[]) name where not has_function_privilege(name, 'execute')",
);

export const FIND_UNNAMED_EPOCH = statement<object, { readonly epoch: string | null }>(
  'epochs: find unnamed',
  'select epoch from epochs order by id limit 1',
);

export const READ_EPOCH = statement<object, { readonly epoch: string }>(
  'epochs: read',
  `select ${EPOCH} as epoch`,
);

export const RENEW_EPOCH = statement<
  { readonly found: string; readonly cause: string },
  { readonly isRenewed: boolean }
>('epochs: renew', 'select renew_epoch(:found, :cause) as "isRenewed"');
