import { CreateCompany } from '@counterfoil/identity';
import { type Command, requiredText, withApp } from '../command';

const usage = 'company:create --name NAME [--owner NAME]';

export const companyCreate: Command = {
  name: 'company:create',
  usage,
  run: (config, options) => {
    const name = requiredText(options, 'name', usage);
    const owner = typeof options['owner'] === 'string' ? options['owner'] : 'Owner';
    return withApp(config, (app) => app.get(CreateCompany).execute(name, owner));
  },
};
