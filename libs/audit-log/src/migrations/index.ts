import { AuditLog1795699200000 } from './1795699200000-audit-log';

export const AUDIT_LOG_MIGRATIONS = [AuditLog1795699200000];
