/** A table whose changes are recorded. */
export interface AuditedTable {
  readonly table: string;
  /** The type of record as callers see it. */
  readonly entity: string;
  /** The column with the id of the record. Default: `id`. */
  readonly id?: string;
  /** Columns of which only the fact that they were set or changed is recorded. */
  readonly secrets?: readonly string[];
  /** Columns that are not recorded: derived ones, leases, and numbers that other audited rows explain. */
  readonly omits?: readonly string[];
  /** For a table without a company: the column that refers to a parent, and the table of the parent. */
  readonly parent?: readonly [column: string, table: string];
  /** Default: insert, update and delete. */
  readonly events?: readonly ('insert' | 'update' | 'delete')[];
  readonly condition?: string;
}

const STAMPS = ['created_at', 'updated_at'];
const LEASE = ['attempts', 'next_attempt_at', 'lease_token', 'lease_until'];

const IDENTITY: readonly AuditedTable[] = [
  { table: 'companies', entity: 'company', omits: ['created_at'] },
  { table: 'users', entity: 'user', omits: ['created_at'] },
  { table: 'api_keys', entity: 'api_key', secrets: ['key_hash'], omits: ['created_at', 'last_used_at'] },
  { table: 'company_limits', entity: 'company_limit', id: 'name' },
];

const DEFINITIONS: readonly AuditedTable[] = [
  { table: 'custom_fields', entity: 'custom_field', omits: ['created_at'] },
  { table: 'document_execution_statuses', entity: 'document_execution_status', omits: ['created_at'] },
  { table: 'saved_reports', entity: 'saved_report', omits: ['created_at'] },
];

const PARTIES: readonly AuditedTable[] = [
  { table: 'addresses', entity: 'address', omits: ['created_at'] },
  { table: 'contacts', entity: 'contact', omits: ['created_at'] },
  {
    table: 'entities',
    entity: 'party',
    omits: [...STAMPS, 'name_key', 'tax_id_key', 'email_key', 'has_contacts'],
  },
  { table: 'entity_contacts', entity: 'party_contact', id: 'entity_id', parent: ['entity_id', 'entities'] },
  { table: 'files', entity: 'file', secrets: ['storage_key'], omits: ['created_at'] },
];

const CATALOG: readonly AuditedTable[] = [
  { table: 'products', entity: 'product', omits: [...STAMPS, 'name_key', 'sku_key', 'manufacturer_sku_key'] },
  {
    table: 'product_serials',
    entity: 'product_serial',
    omits: ['created_at'],
    parent: ['product_id', 'products'],
  },
  { table: 'warehouses', entity: 'warehouse', omits: ['created_at'] },
  // Movements state how the quantities changed.
  {
    table: 'stock_records',
    entity: 'stock_record',
    omits: ['created_at', 'quantity', 'reserved_quantity', 'moved_at'],
  },
  {
    table: 'stock_movements',
    entity: 'stock_movement',
    omits: ['created_at', 'transaction_id', 'reason_key'],
  },
];

const DOCUMENTS: readonly AuditedTable[] = [
  {
    table: 'documents',
    entity: 'document',
    omits: [...STAMPS, 'change_number', 'counted_bucket', 'search_text'],
  },
  // Items and payments are written with their document, and the document names its totals.
  {
    table: 'document_items',
    entity: 'document_item',
    id: 'document_id',
    parent: ['document_id', 'documents'],
    events: ['update', 'delete'],
  },
  {
    table: 'document_payments',
    entity: 'document_payment',
    id: 'document_id',
    parent: ['document_id', 'documents'],
    events: ['update', 'delete'],
  },
  { table: 'document_settlements', entity: 'document_settlement', omits: ['created_at'] },
  {
    table: 'supplier_invoices',
    entity: 'supplier_invoice',
    omits: [...STAMPS, 'title_key', 'document_number_key', 'notes_key'],
  },
  { table: 'retainers', entity: 'retainer', omits: ['created_at', 'items_bytes'] },
  // The run of a schedule leaves the row of what it made.
  { table: 'schedules', entity: 'schedule', omits: ['runs', 'next_run_date', 'attempts', 'next_attempt_at'] },
];

const EXPENSES: readonly AuditedTable[] = [
  {
    table: 'expenses',
    entity: 'expense',
    omits: [...STAMPS, 'title_key', 'document_number_key', 'notes_key'],
  },
  { table: 'exchange_rates', entity: 'exchange_rate', omits: STAMPS },
];

const PAYMENTS: readonly AuditedTable[] = [
  { table: 'payment_methods', entity: 'payment_method', secrets: ['sealed_token'], omits: ['created_at'] },
  { table: 'payment_pages', entity: 'payment_page', secrets: ['page_key'], omits: ['created_at'] },
  {
    table: 'recurring_payments',
    entity: 'recurring_payment',
    omits: ['created_at', 'idempotency_key', 'fingerprint'],
  },
  { table: 'charges', entity: 'charge', omits: STAMPS },
  {
    table: 'charge_operations',
    entity: 'charge_operation',
    secrets: ['provider_key'],
    omits: ['created_at', 'settled_at', 'idempotency_key', 'fingerprint', ...LEASE],
  },
];

const WEBHOOKS: readonly AuditedTable[] = [
  {
    table: 'webhook_endpoints',
    entity: 'webhook_endpoint',
    secrets: ['secret_sealed', 'former_secrets'],
    omits: ['created_at', 'failing_since'],
  },
  { table: 'webhook_replays', entity: 'webhook_replay', omits: ['created_at'], events: ['insert'] },
  // The delivery log has the states of deliveries. Recorded is only that a caller had one sent again.
  {
    table: 'webhook_deliveries',
    entity: 'webhook_delivery',
    omits: ['created_at', 'finished_at', ...LEASE],
    events: ['update'],
    condition: `new.state = 'pending' and current_setting('counterfoil.actor', true) like 'api-key:%'`,
  },
];

/** The tables that `AuditLog1795699200000` gives triggers. Not to be changed: a later table gets its trigger from its own migration. */
export const AUDITED: readonly AuditedTable[] = [
  ...[...IDENTITY, ...DEFINITIONS, ...PARTIES, ...CATALOG],
  ...[...DOCUMENTS, ...EXPENSES, ...PAYMENTS, ...WEBHOOKS],
];
