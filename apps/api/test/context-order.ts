/**
 * The dependencies of each context. They are repeated here on purpose, as a check of the lint configuration.
 */
export const MAY_ASK: Readonly<Record<string, readonly string[]>> = {
  identity: [],
  definitions: [],
  files: ['identity'],
  parties: ['identity', 'files'],
  catalog: ['identity', 'parties'],
  inventory: ['identity', 'parties', 'catalog'],
  documents: ['identity', 'parties', 'catalog'],
  expenses: ['identity', 'files', 'parties', 'documents'],
  payments: ['identity', 'parties', 'documents'],
  renditions: ['identity', 'files', 'parties', 'documents'],
  mail: ['identity', 'parties', 'documents', 'renditions'],
  sharing: ['identity', 'parties', 'documents', 'payments', 'renditions'],
  webhooks: [],
  'event-catalogue': ['documents', 'expenses', 'inventory', 'mail', 'payments', 'sharing', 'webhooks'],
};
