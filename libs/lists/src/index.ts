export { AppendOnlyListReader } from './append-only-list-reader';
export { CachedListReader } from './cached-list-reader';
export type { ListDefinition, ListQuery, TextSearch } from './list-definition';
export { BEGINNING_MAX, ListSql, type Statement, type WalkedRow } from './list-sql';
export { byCodePoints, containsSql, type Matching, matchingSql, searchIn } from './matching-sql';
export { readPage } from './read-page';
export { readWhole } from './read-whole';
