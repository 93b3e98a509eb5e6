export { AUDIT_LOG_COMPANY_DATA } from './company-data.sql';
export {
  AUDIT_ACTIONS,
  AUDIT_FILTERS,
  AUDITED_ENTITIES,
  type AuditAction,
  type AuditEntry,
  type AuditFilter,
  INSTALLATION,
} from './audit-entry';
export { AuditLogModule } from './audit-log.module';
export { AuditLogReader } from './adapters/audit-log.reader';
export { AUDIT_LOG_MIGRATIONS } from './migrations';
export { PurgeAuditLog } from './purge-audit-log';
export { SealAuditLog } from './seal-audit-log';
export { type KnownEntry, type VerifiedChain, VerifyAuditLog } from './verify-audit-log';
