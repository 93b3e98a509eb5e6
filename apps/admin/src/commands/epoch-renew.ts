import type { Command } from '../command';
import { renewEpoch } from './migrate';

/** To be run after a restore that the database does not show, such as that of a snapshot of its disk. */
export const epochRenew: Command = {
  name: 'epoch:renew',
  usage: 'epoch:renew',
  run: async (config) => ({ renewed: await renewEpoch(config, 'epoch:renew') }),
};
