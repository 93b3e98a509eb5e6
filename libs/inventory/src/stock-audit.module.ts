import { Module } from '@nestjs/common';
import { PostgresStockAudit } from './adapters/postgres/postgres-stock-audit';
import { StockAudit } from './application/ports/stock-audit';
import { VerifyStock } from './application/verify-stock';

/** A module of its own for the admin command, because it needs only the database. */
@Module({
  providers: [VerifyStock, { provide: StockAudit, useClass: PostgresStockAudit }],
  exports: [VerifyStock],
})
export class StockAuditModule {}
