import { CreateApiKey } from '@counterfoil/identity';
import { type Role, ROLES } from '@counterfoil/kernel';
import { KEY_OPTIONS, keyOptions } from '../key-options';
import { type Command, requiredId, requiredText, UsageError, withApp } from '../command';

const usage = `key:create --company ID --role ${ROLES.join('|')} [--user NAME] ${KEY_OPTIONS}`;

export const keyCreate: Command = {
  name: 'key:create',
  usage,
  run: async (config, options) => {
    const companyId = requiredId(options, 'company', usage);
    const role = requiredRole(requiredText(options, 'role', usage));
    const userName = typeof options['user'] === 'string' ? options['user'] : `API (${role})`;
    const limits = keyOptions(options, usage);
    const created = await withApp(config, (app) =>
      app.get(CreateApiKey).execute(companyId, { ...limits, role, userName }),
    );
    return { id: created.id, key: created.key, role: created.role };
  },
};

function requiredRole(text: string): Role {
  const role = ROLES.find((name) => name === text);
  if (!role) throw new UsageError(`--role must be one of ${ROLES.join(', ')}: ${usage}`);
  return role;
}
