import { Module } from '@nestjs/common';
import { PostgresStockAudit } from './adapters/postgres/postgres-stock-audit';
import { StockAudit } from './application/ports/stock-audit';
import { VerifyStock } from './application/verify-stock';

/** By itself, for the operator's command: it reads the database, and needs nothing else. */
@Module({
  providers: [VerifyStock, { provide: StockAudit, useClass: PostgresStockAudit }],
  exports: [VerifyStock],
})
export class StockAuditModule {}
