import { RevokeApiKey } from '@counterfoil/identity';
import { type Command, requiredId, withApp } from '../command';

const usage = 'key:revoke --id ID';

export const keyRevoke: Command = {
  name: 'key:revoke',
  usage,
  run: async (config, options) => {
    const id = requiredId(options, 'id', usage);
    await withApp(config, (app) => app.get(RevokeApiKey).execute(null, id));
    return { id, revoked: true };
  },
};
