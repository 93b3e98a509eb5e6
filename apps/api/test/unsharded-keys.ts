/**
 * The obstacles to a PostgreSQL that is sharded by company, each with the reason. A shard sees only its own
 * rows: it can keep a key unique, and check a reference, only if both name the company.
 * `company-sharding.integration.spec.ts` compares the lists with the migrated database.
 */
export interface Unsharded {
  readonly reason: string;
  readonly of: readonly string[];
}

/** Tables with rows of companies, which name the company only through their parent. */
export const WITHOUT_COMPANY: readonly Unsharded[] = [
  {
    reason: 'rows of a document; it is written and read with them',
    of: ['document_items', 'document_payments'],
  },
  { reason: 'links contacts to a vendor or client', of: ['entity_contacts'] },
  { reason: 'belong to a product', of: ['pricelist_entries', 'product_serials'] },
  { reason: 'runs of a schedule', of: ['scheduled_runs'] },
  { reason: 'attempts of a delivery', of: ['webhook_attempts'] },
];

/** A row without a company belongs to all of them. A row without a value of the sharding column has no shard. */
export const WITH_OPTIONAL_COMPANY: readonly Unsharded[] = [
  { reason: 'published rates apply to every company', of: ['exchange_rates', 'rate_arrivals'] },
  { reason: 'an earlier release did not record the company of an upload', of: ['file_uploads'] },
];

/** Primary keys, unique constraints and unique indexes, as `table (columns)`. */
export const KEYS: readonly Unsharded[] = [
  {
    reason: 'one sequence numbers the rows of all companies, so (company_id, id) is as unique',
    of: [
      ...['addresses', 'api_keys', 'audit_staged', 'charge_operations', 'charges', 'company_operations'],
      ...[
        'contacts',
        'custom_fields',
        'document_execution_statuses',
        'document_mails',
        'document_settlements',
        'documents',
      ],
      ...['entities', 'exchange_rates', 'expenses', 'files', 'payment_methods', 'payment_pages'],
      ...['pricelist_entries', 'product_serials', 'products', 'rate_arrivals', 'reading_requests'],
      ...['request_log', 'saved_reports', 'schedules', 'sessions', 'stock_records', 'users'],
      ...['supplier_invoices', 'warehouses', 'webhook_deliveries', 'webhook_replays'],
    ].map((table) => `${table} (id)`),
  },
  {
    reason:
      'one sequence numbers the counts of all companies, so (company_id, endpoint_id, number) is as unique',
    of: ['webhook_delivery_counts (endpoint_id, number)'],
  },
  {
    reason: 'one sequence orders the events of all companies, and streams resume by it',
    of: ['outbox_events (sequence)'],
  },
  {
    reason: 'a random id, which repeats in no company',
    of: [
      ...['documents (visible_id)', 'entities (visible_id)', 'products (visible_id)'],
      ...['supplier_invoices (visible_id)', 'outbox_events (id)', 'webhook_endpoints (id)'],
      ...[
        'charge_operations (provider_key)',
        'files (storage_key)',
        'file_uploads (storage_key)',
        'document_mails (send_id, recipient)',
      ],
    ],
  },
  {
    reason: 'is looked up before the company is known, so it needs a directory of all companies',
    of: ['api_keys (key_hash)', 'payment_pages (page_key)', 'sessions (token_hash)'],
  },
  {
    reason: 'shares the key of a row that has a company',
    of: ['document_approvals (document_id)', 'recurring_payments (id)', 'retainers (id)'],
  },
  {
    reason: 'refers to a row that has a company, which the key could repeat',
    of: [
      ...['charges (payment_page_id)', 'charges (recurring_payment_id, run_date)'],
      ...['stock_records (product_id, warehouse_id)', 'webhook_deliveries (event_id, endpoint_id)'],
    ],
  },
  {
    reason: 'its table has no company yet',
    of: [
      ...['document_items (document_id, position)', 'document_payments (document_id, position)'],
      ...['entity_contacts (entity_id, contact_id)', 'pricelist_entries (entity_id, product_id)'],
      ...['product_serials (product_id, serial_number)', 'scheduled_runs (schedule_id, run_date)'],
      'webhook_attempts (delivery_id, attempt)',
    ],
  },
];

/** Foreign keys, as `table (columns) -> table`. */
export const REFERENCES: readonly Unsharded[] = [
  {
    reason: 'both tables have the company, so the reference can include it',
    of: [
      ...['api_keys (user_id) -> users', 'expenses (user_id) -> users', 'files (user_id) -> users'],
      ...['stock_movements (user_id) -> users', 'charges (document_id) -> documents'],
      ...['charges (entity_id) -> entities', 'charges (recurring_payment_id) -> recurring_payments'],
      ...['contacts (address_id) -> addresses', 'entities (address_id) -> addresses'],
      ...['warehouses (address_id) -> addresses', 'document_approvals (document_id) -> documents'],
      ...['document_mails (document_id) -> documents', 'sessions (api_key_id) -> api_keys'],
      ...['company_logos (file_id) -> files', 'document_parties (logo_file_id) -> files'],
      'document_originals (document_id) -> documents',
      ...['document_parties (document_id) -> documents', 'renditions (document_id) -> documents'],
      ...['document_shares (document_id) -> documents', 'document_reminders (document_id) -> documents'],
      ...['document_reminders (mail_id) -> document_mails', 'reminder_exemptions (document_id) -> documents'],
      ...[
        'document_settlements (settled_id) -> documents',
        'document_settlements (settling_id) -> documents',
      ],
      ...['documents (entity_id) -> entities', 'documents (refund_of) -> documents'],
      ...['documents (retainer_id) -> retainers', 'entities (logo_file_id) -> files'],
      ...['entities (withholding_file_id) -> files', 'expenses (entity_id) -> entities'],
      ...['expenses (file_id) -> files', 'payment_methods (entity_id) -> entities'],
      ...['payment_pages (entity_id) -> entities', 'recurring_payments (entity_id) -> entities'],
      ...['retainers (entity_id) -> entities', 'stock_records (product_id) -> products'],
      ...['stock_records (warehouse_id) -> warehouses', 'supplier_invoices (entity_id) -> entities'],
      ...['webhook_deliveries (endpoint_id) -> webhook_endpoints'],
      ...['webhook_delivery_counts (endpoint_id) -> webhook_endpoints'],
      ...[
        'webhook_deliveries (event_id) -> outbox_events',
        'webhook_replays (endpoint_id) -> webhook_endpoints',
      ],
    ],
  },
  {
    reason: 'is set to null when the file goes, which must not empty the company as well',
    of: ['reading_requests (file_id) -> files'],
  },
  {
    reason: 'its table has no company yet',
    of: [
      ...['document_items (document_id) -> documents', 'document_payments (document_id) -> documents'],
      ...['entity_contacts (contact_id) -> contacts', 'entity_contacts (entity_id) -> entities'],
      ...['pricelist_entries (entity_id) -> entities', 'pricelist_entries (product_id) -> products'],
      ...['product_serials (product_id) -> products', 'scheduled_runs (schedule_id) -> schedules'],
    ],
  },
];
