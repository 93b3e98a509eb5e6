/**
 * The owners of tables and SQL functions, and the foreign objects that each lib reads. A lib writes only its
 * own tables. It reads only the objects in its list, which must belong to a platform lib or to a context that
 * it depends on. `table-owners.integration.spec.ts` compares this with the migrated database and with the SQL
 * of every lib.
 */
export interface Owned {
  readonly tables: readonly string[];
  readonly functions?: readonly string[];
  /** Foreign tables, and foreign functions that only read. */
  readonly reads?: readonly string[];
}

export const OWNERS: Readonly<Record<string, Owned>> = {
  database: {
    tables: ['epochs', 'migrations'],
    functions: ['current_epoch', 'renew_epoch', 'search_grams'],
  },
  'audit-log': {
    tables: ['audit_log', 'audit_removals', 'audit_staged'],
    functions: [
      'is_being_erased',
      'may_stop_audit',
      'record_change',
      'record_pricelist_changes',
      'record_published_rates',
      'refuse_change_of_audit',
    ],
  },
  outbox: { tables: ['outbox_events'] },
  idempotency: { tables: ['idempotency_keys'] },
  scheduling: { tables: ['scheduled_runs', 'schedules'] },
  'rate-limits': { tables: ['rate_limit_counters'] },
  'request-log': { tables: ['request_log'] },
  identity: {
    tables: [
      ...['api_keys', 'companies', 'company_limits', 'company_logos', 'company_operations'],
      ...['company_reminders', 'sessions', 'users'],
    ],
  },
  definitions: { tables: ['custom_fields', 'document_execution_statuses', 'saved_reports'] },
  files: {
    tables: ['file_uploads', 'files', 'storage_usage'],
    functions: ['count_stored_files'],
    reads: ['companies'],
  },
  parties: {
    tables: ['addresses', 'contacts', 'entities', 'entity_contacts', 'entity_counts'],
    functions: [
      ...['change_entity_counts', 'count_added_or_removed_entities', 'count_edited_entities'],
      ...['entity_cells', 'search_entities'],
    ],
    reads: ['companies', 'files', 'search_grams'],
  },
  catalog: {
    tables: ['pricelist_entries', 'product_serials', 'products'],
    functions: ['search_products'],
    reads: ['entities', 'search_grams'],
  },
  inventory: {
    tables: ['stock_movements', 'stock_records', 'warehouses'],
    functions: ['refuse_change_of_movements', 'search_movements'],
    reads: ['search_grams', 'users'],
  },
  documents: {
    tables: [
      ...['document_approvals', 'document_change_counts', 'document_items', 'document_parties'],
      ...[
        'document_payments',
        'document_settlements',
        'documents',
        'retainers',
        'supplier_invoice_counts',
        'supplier_invoices',
      ],
      'tax_authority_tokens',
    ],
    functions: [
      ...['change_supplier_invoice_counts', 'count_document_changes', 'count_new_supplier_invoices'],
      ...['count_supplier_invoices', 'lock_documents', 'open_document_change', 'open_document_issuance'],
      'find_documents',
      'search_documents',
    ],
    reads: ['entities', 'idempotency_keys', 'schedules', 'search_entities', 'search_grams'],
  },
  expenses: {
    tables: [
      ...['cost_counts', 'exchange_rates', 'expenses', 'published_rate_looks', 'rate_arrivals'],
      ...['reading_requests', 'receipt_readings'],
    ],
    functions: [
      ...['change_cost_counts', 'count_edited_expenses', 'count_expenses', 'rate_on', 'search_expenses'],
      'search_supplier_invoices',
    ],
    reads: ['entities', 'files', 'search_grams', 'supplier_invoice_counts', 'supplier_invoices', 'users'],
  },
  payments: {
    tables: [
      ...['charge_operations', 'charges', 'payment_methods', 'payment_pages', 'recurring_payments'],
      'sandbox_orders',
    ],
    functions: ['refuse_charge_key'],
    reads: ['companies', 'entities', 'schedules'],
  },
  renditions: { tables: ['document_originals', 'renditions', 'statement_files'] },
  mail: {
    tables: ['document_mails', 'document_reminders', 'reminder_exemptions', 'reminder_progress'],
    reads: ['companies', 'company_reminders', 'documents', 'entities'],
  },
  sharing: { tables: ['document_share_views', 'document_shares'] },
  webhooks: {
    tables: [
      ...['webhook_attempts', 'webhook_budgets', 'webhook_deliveries', 'webhook_delivery_counts'],
      ...['webhook_endpoints', 'webhook_replays'],
    ],
    functions: [
      ...['claim_due_deliveries', 'claim_webhook_deliveries', 'count_webhook_deliveries'],
      'record_webhook_attempts',
    ],
    reads: ['outbox_events'],
  },
};

/** Uses that violate the rule, each with its reason. */
export const EXCEPTIONS: readonly { readonly lib: string; readonly use: string; readonly reason: string }[] =
  [
    {
      lib: 'documents',
      use: 'reads files',
      reason:
        'an issued document keeps the logo of its issuer, unless that was deleted since the company was read',
    },
    ...['company_logos', 'document_parties', 'entities', 'expenses', 'reading_requests'].map((table) => ({
      lib: 'files',
      use: `reads ${table}`,
      reason: 'a file that is in use is not deleted, and the refusal names the uses',
    })),
    {
      lib: 'webhooks',
      use: 'reads companies',
      reason:
        'locks the company, so that two registrations cannot exceed its number of endpoints; deliveries of a suspended company wait',
    },
    {
      lib: 'sharing',
      use: 'reads companies',
      reason: 'links of a suspended company open nothing',
    },
    {
      lib: 'scheduling',
      use: 'reads companies',
      reason: 'runs of a suspended company wait',
    },
    {
      lib: 'identity',
      use: 'calls lock_documents',
      reason: 'closing the books waits for the documents that are being issued',
    },
    {
      lib: 'audit-log',
      use: 'reads companies',
      reason: 'values are left out only of what the erasure of a company removes',
    },
    ...['documents', 'entities', 'products'].map((table) => ({
      lib: 'audit-log',
      use: `reads ${table}`,
      reason: 'a row of a child table names its company only through its parent',
    })),
  ];
