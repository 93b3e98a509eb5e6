import { type ApiKey, IdentityReader } from '@counterfoil/identity';
import { type Command, requiredId, withApp } from '../command';

const usage = 'key:list --company ID';

/** Lists the keys of a company that are not revoked, the oldest first, without the keys themselves. */
export const keyList: Command = {
  name: 'key:list',
  usage,
  run: async (config, options) => {
    const companyId = requiredId(options, 'company', usage);
    return withApp(config, async (app) => {
      const reader = app.get(IdentityReader);
      if (!(await reader.company(companyId))) throw new Error(`there is no company ${companyId}`);
      const keys: ApiKey[] = [];
      for await (const batch of reader.allApiKeys(companyId)) keys.push(...batch);
      return { companyId, keys };
    });
  },
};
