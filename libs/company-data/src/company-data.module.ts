import { Module } from '@nestjs/common';
import { EraseCompanyTables } from './erase-company-tables';
import { ReadCompanyTables } from './read-company-tables';

@Module({
  providers: [EraseCompanyTables, ReadCompanyTables],
  exports: [EraseCompanyTables, ReadCompanyTables],
})
export class CompanyDataModule {}
