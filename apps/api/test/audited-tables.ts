/**
 * The tables whose changes the audit log does not record, with the reasons. Every other table has a trigger, and
 * `audited-tables.integration.spec.ts` compares both with the migrated database.
 */
export const NOT_AUDITED: Readonly<Record<string, string>> = {
  audit_log: 'the log itself',
  audit_removals: 'belongs to the log',
  audit_staged: 'belongs to the log',
  cost_counts: 'counts expenses, which are recorded',
  document_approvals: 'work of the worker; its outcome is in the document',
  document_change_counts: 'counts documents, which are recorded',
  document_share_views: 'counts views of links, which are recorded',
  document_reminders: 'work of the worker; the mails are recorded',
  document_parties: 'part of a document, written once together with it',
  document_originals: 'follows from the mails and links, which are recorded',
  entity_counts: 'counts parties, which are recorded',
  file_uploads: 'bytes that are being stored; a stored file is recorded',
  idempotency_keys: 'answers to calls whose changes are recorded',
  outbox_events: 'reports of changes that are recorded',
  published_rate_looks: 'when the worker looked for rates; those that it found are recorded',
  rate_arrivals: 'work of the worker; its outcome is in the expenses',
  rate_limit_counters: 'counts requests',
  reading_requests: 'work of the worker; nothing of it is kept',
  receipt_readings: 'a cache of readings',
  reminder_progress: 'work of the worker',
  renditions: 'made from documents, which are recorded',
  request_log: 'reports requests, not changes',
  sandbox_orders: 'stands for the database of a payment provider',
  scheduled_runs: 'a run leaves the row of what it made',
  statement_files: 'made from documents, which are recorded, or from drafts',
  storage_usage: 'counts files, which are recorded',
  supplier_invoice_counts: 'counts supplier invoices, which are recorded',
  tax_authority_tokens: 'secrets of the installation, renewed by the tax authority',
  webhook_attempts: 'the delivery log itself',
  webhook_budgets: 'counts attempts',
  webhook_delivery_counts: 'counts deliveries',
};

/**
 * Columns whose values open something, that are encrypted, or that have addresses of people. Of these, only the fact that
 * they changed is recorded.
 */
export const SECRETS: Readonly<Record<string, readonly string[]>> = {
  api_keys: ['key_hash'],
  charge_operations: ['provider_key'],
  files: ['storage_key'],
  payment_methods: ['sealed_token'],
  payment_pages: ['page_key'],
  // Each mail has an entry with its recipient.
  retainers: ['send'],
  sessions: ['token_hash'],
  webhook_endpoints: ['secret_sealed', 'former_secrets'],
};

/** Names of columns that suggest a secret. */
export const SECRET_NAME = /sealed|secret|hash|token|key|password|fingerprint/;

/** Columns with such names that hold none. */
export const NO_SECRETS: readonly string[] = [
  // The number of an account in an accounting system.
  'entities.ledger_entity_account_key',
  // The number of a key.
  'sessions.api_key_id',
];
