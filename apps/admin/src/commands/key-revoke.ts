import { RevokeApiKey } from '@counterfoil/identity';
import { type Command, requiredId, withApp } from '../command';

const usage = 'key:revoke --id ID';

export const keyRevoke: Command = {
  name: 'key:revoke',
  usage,
  run: async (config, options) => {
    const id = requiredId(options, 'id', usage);
    const { companyId, leavesNoOwner } = await withApp(config, (app) =>
      app.get(RevokeApiKey).execute(null, id),
    );
    if (!leavesNoOwner) return { id, revoked: true };
    const note = `company ${companyId} has no owner key left: make one with key:create --company ${companyId} --role owner`;
    return { id, revoked: true, note };
  },
};
