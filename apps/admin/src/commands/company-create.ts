import { CreateCompany } from '@counterfoil/identity';
import { KEY_OPTIONS, keyOptions } from '../key-options';
import { type Command, requiredText, withApp } from '../command';

const usage = `company:create --name NAME [--owner NAME] ${KEY_OPTIONS}`;

export const companyCreate: Command = {
  name: 'company:create',
  usage,
  run: (config, options) => {
    const name = requiredText(options, 'name', usage);
    const owner = typeof options['owner'] === 'string' ? options['owner'] : 'Owner';
    const key = keyOptions(options, usage);
    return withApp(config, (app) => app.get(CreateCompany).execute(name, owner, key));
  },
};
