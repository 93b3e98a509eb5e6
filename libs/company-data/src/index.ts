export { Catalog } from './catalog';
export { CompanyDataModule } from './company-data.module';
export { type CompanyTable, SECRET, type TableErasure } from './company-table';
export { EraseCompanyTables, type ErasureProgress } from './erase-company-tables';
export { ReadCompanyTables, type TableSink } from './read-company-tables';
