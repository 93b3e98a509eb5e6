import { SuspendCompany } from '@counterfoil/identity';
import { type Command, requiredId, withApp } from '../command';
import { operatorNote } from '../operator';

const SUSPEND = 'company:suspend --company ID [--reason TEXT]';
const RESUME = 'company:resume --company ID [--reason TEXT]';

/** Refuses every call of a company from now on. */
export const companySuspend: Command = {
  name: 'company:suspend',
  usage: SUSPEND,
  run: (config, options) => {
    const companyId = requiredId(options, 'company', SUSPEND);
    const note = operatorNote(options, SUSPEND);
    return withApp(config, async (app) => {
      const suspendedAt = await app.get(SuspendCompany).suspend(companyId, note);
      return { companyId, state: 'suspended', suspendedAt };
    });
  },
};

/** Lets a suspended company call again. */
export const companyResume: Command = {
  name: 'company:resume',
  usage: RESUME,
  run: (config, options) => {
    const companyId = requiredId(options, 'company', RESUME);
    const note = operatorNote(options, RESUME);
    return withApp(config, async (app) => {
      const resumedAt = await app.get(SuspendCompany).resume(companyId, note);
      return { companyId, state: 'active', resumedAt };
    });
  },
};
