import { AuditLog1795699200000 } from './1795699200000-audit-log';
import { ErasureEntries1795780100000 } from './1795780100000-erasure-entries';

export const AUDIT_LOG_MIGRATIONS = [AuditLog1795699200000, ErasureEntries1795780100000];
