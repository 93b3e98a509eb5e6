export { COMPANY_TABLES, COMPANY_TABLES_OF } from './company-tables';
export { JOBS } from './jobs';
export { MIGRATIONS } from './migrations';
