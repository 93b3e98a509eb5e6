import { VerifyStock } from '@counterfoil/inventory';
import { type Command, withApp } from '../command';

export const stockVerify: Command = {
  name: 'stock:verify',
  usage: 'stock:verify',
  run: async (config, _, print) => {
    const verified = await withApp(config, (app) => app.get(VerifyStock).execute(print));
    print(verified);
    const { records, disagreements } = verified;
    if (disagreements > 0) {
      throw new Error(`${disagreements} of ${records} stock records disagree with their movements`);
    }
    return undefined;
  },
};
