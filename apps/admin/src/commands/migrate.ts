import fs from 'node:fs';
import { assertDatabaseReachable, migrateDatabase } from '@counterfoil/database';
import { CreateCompany } from '@counterfoil/identity';
import { Epochs } from '@counterfoil/kernel';
import { jobNames, migrateQueueStore } from '@counterfoil/queue';
import { JOBS, MIGRATIONS } from '@counterfoil/schema';
import type { Config } from '@counterfoil/config';
import { type Command, type Options, UsageError, withApp } from '../command';

export const migrate: Command = {
  name: 'migrate',
  usage: 'migrate',
  run: async (config) => {
    await migrateAll(config);
    return { migrated: true };
  },
};

/** Prepares the database before the API and the worker start. `npm start` and the compose file call it. */
export const prepare: Command = {
  name: 'prepare',
  usage: 'prepare [--demo [--demo-key-file FILE]] [--copied-database]',
  run: async (config, options) => {
    if (options['demo'] === true && config.production) {
      throw new UsageError(
        'NODE_ENV is production: the demo company and its published key are not made there',
      );
    }
    await migrateAll(config);
    if (options['demo'] === true) {
      const secretKey = readKey(options['demo-key-file']);
      await withApp(config, (app) => app.get(CreateCompany).ensureDemo(secretKey));
    }
    if (options['copied-database'] === true) await renewEpoch(config, 'a copy of the data folder');
    return undefined;
  },
};

/** Invalidates the cursors of the current epoch. */
export function renewEpoch(config: Config, cause: string): Promise<boolean> {
  return withApp(config, async (app) => {
    const epochs = app.get(Epochs);
    return epochs.renew(await epochs.current(), cause);
  });
}

function readKey(file: Options[string]): string | undefined {
  return typeof file === 'string' ? fs.readFileSync(file, 'utf8').trim() : undefined;
}

async function migrateAll(config: Config): Promise<void> {
  await assertDatabaseReachable(config);
  await migrateDatabase(config, MIGRATIONS);
  await migrateQueueStore(config, jobNames(JOBS));
}
