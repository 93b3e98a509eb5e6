import { assertDatabaseReachable, migrateDatabase } from '@counterfoil/database';
import { CreateCompany } from '@counterfoil/identity';
import { migrateQueueStore } from '@counterfoil/queue';
import type { Config } from '@counterfoil/config';
import { type Command, UsageError, withApp } from '../command';

export const migrate: Command = {
  name: 'migrate',
  usage: 'migrate',
  run: async (config) => {
    await migrateAll(config);
    return { migrated: true };
  },
};

/** What must be done before the API and the worker start; `npm start` and the compose file call it. */
export const prepare: Command = {
  name: 'prepare',
  usage: 'prepare [--demo]',
  run: async (config, options) => {
    if (options['demo'] === true && config.production) {
      throw new UsageError(
        'NODE_ENV is production: the demo company and its published key are not made there',
      );
    }
    await migrateAll(config);
    if (options['demo'] === true) await withApp(config, (app) => app.get(CreateCompany).ensureDemo());
    return undefined;
  },
};

async function migrateAll(config: Config): Promise<void> {
  await assertDatabaseReachable(config);
  await migrateDatabase(config);
  await migrateQueueStore(config);
}
