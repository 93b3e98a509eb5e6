import { Module } from '@nestjs/common';
import { AuditLogReader } from './adapters/audit-log.reader';
import { PurgeAuditLog } from './purge-audit-log';
import { SealAuditLog } from './seal-audit-log';
import { VerifyAuditLog } from './verify-audit-log';

@Module({
  providers: [AuditLogReader, PurgeAuditLog, SealAuditLog, VerifyAuditLog],
  exports: [AuditLogReader, PurgeAuditLog, SealAuditLog, VerifyAuditLog],
})
export class AuditLogModule {}
