/** Tables without rows of companies. */
export const INSTALLATION_TABLES: Readonly<Record<string, string>> = {
  epochs: 'lives of the database',
  migrations: 'the state of the schema',
  published_rate_looks: 'when the worker looked for published rates',
  rate_limit_counters: 'counts requests by key and address, and expires within minutes',
  sandbox_orders: 'stands for the database of a payment provider',
  tax_authority_tokens: 'secrets of the installation',
};
