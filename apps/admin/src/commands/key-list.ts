import { type ApiKey, IdentityReader } from '@counterfoil/identity';
import { assertCompany, type Command, requiredId, withApp } from '../command';

const usage = 'key:list --company ID';

/** Lists the keys of a company that are not revoked, the oldest first, without the keys themselves. */
export const keyList: Command = {
  name: 'key:list',
  usage,
  run: async (config, options) => {
    const companyId = requiredId(options, 'company', usage);
    return withApp(config, async (app) => {
      await assertCompany(app, companyId);
      const keys: ApiKey[] = [];
      for await (const batch of app.get(IdentityReader).allApiKeys(companyId)) keys.push(...batch);
      return { companyId, keys };
    });
  },
};
