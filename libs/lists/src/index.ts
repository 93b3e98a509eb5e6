export type { ListDefinition, ListQuery, TextSearch } from './list-definition';
export { ListSql, type Matching, matchingSql, type Statement } from './list-sql';
export { readPage } from './read-page';
export { containsSql, searchIn } from './text-search';
