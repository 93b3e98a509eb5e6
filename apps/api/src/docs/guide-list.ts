/** A guide: a page of `docs/`, without its extension, and the title under which it is listed. */
export interface Guide {
  readonly page: string;
  readonly title: string;
}

/** The guides in the order of their use. `docs/` has further pages, which these link to. */
export const GUIDES: readonly Guide[] = [
  { page: 'tour', title: 'Tour' },
  { page: 'company', title: 'Keys and roles' },
  { page: 'console', title: 'Console' },
  { page: 'errors', title: 'Errors' },
  { page: 'contract/2-lists', title: 'Lists and paging' },
  { page: 'retries', title: 'Idempotency' },
  { page: 'change-feed', title: 'Change feed' },
  { page: 'webhooks', title: 'Webhooks' },
  { page: 'extraction', title: 'Reading receipts' },
  { page: 'money', title: 'Money and rounding' },
  { page: 'cli', title: 'Command line' },
  { page: 'test-data', title: 'Test data' },
  { page: 'generated-clients', title: 'Generated clients' },
];

/** Pages about one part of the API, listed after the guides. */
export const TOPICS: readonly Guide[] = [
  { page: 'documents', title: 'Documents' },
  { page: 'retainers', title: 'Retainers' },
  { page: 'allocation-numbers', title: 'Allocation numbers' },
  { page: 'vendors', title: 'Vendors, clients, products' },
  { page: 'inventory', title: 'Stock' },
  { page: 'expenses', title: 'Expenses' },
  { page: 'exchange-rates', title: 'Exchange rates' },
  { page: 'files', title: 'Files' },
  { page: 'gateway', title: 'Payment gateway' },
  { page: 'definitions', title: 'Definitions' },
  { page: 'contract/README', title: 'Contract' },
  { page: 'operations', title: 'Operations' },
  { page: 'configuration', title: 'Configuration' },
];
