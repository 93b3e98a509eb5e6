import { ImportPublishedRates } from '@counterfoil/expenses';
import { type Command, requiredText, withApp } from '../command';
import { checkRatesFile, ratesIn } from '../rates-file';

export const ratesImport: Command = {
  name: 'rates:import',
  usage: 'rates:import --file FILE',
  run: async (config, options) => {
    const file = requiredText(options, 'file', ratesImport.usage);
    const imported = await checkRatesFile(file);
    const { added, revised } = await withApp(config, (app) =>
      app.get(ImportPublishedRates).execute(ratesIn(file)),
    );
    return { imported, new: added, revised };
  },
};
