export { AppendedLists } from './appended-lists';
export { CachedLists } from './cached-lists';
export type { ListDefinition, ListQuery, TextSearch } from './list-definition';
export { BEGINNING_MAX, ListSql, type Matching, matchingSql, type Statement } from './list-sql';
export { readPage } from './read-page';
export { containsSql, searchIn } from './text-search';
