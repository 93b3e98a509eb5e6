import { type ApiKey, IdentityReader } from '@counterfoil/identity';
import { type Command, requiredId, withApp } from '../command';

const usage = 'key:list --company ID';
const KEYS_AT_ONCE = 200;

/** Lists the keys of a company that are not revoked, the oldest first, without the keys themselves. */
export const keyList: Command = {
  name: 'key:list',
  usage,
  run: async (config, options) => {
    const companyId = requiredId(options, 'company', usage);
    return withApp(config, async (app) => {
      const reader = app.get(IdentityReader);
      if (!(await reader.company(companyId))) throw new Error(`there is no company ${companyId}`);
      return { companyId, keys: await allKeys(reader, companyId) };
    });
  },
};

async function allKeys(reader: IdentityReader, companyId: number): Promise<readonly ApiKey[]> {
  const keys: ApiKey[] = [];
  for (;;) {
    const page = { limit: KEYS_AT_ONCE, offset: keys.length };
    const { data } = await reader.apiKeys(companyId, page);
    keys.push(...data);
    if (data.length < KEYS_AT_ONCE) return keys;
  }
}
