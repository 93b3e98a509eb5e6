import { SealedRefreshTokens } from '@counterfoil/documents';
import { SealedCards } from '@counterfoil/payments';
import {
  reencrypt,
  type Reencryption,
  type ReencryptionProgress,
  type SecretsKeys,
} from '@counterfoil/secrets';
import { SealedEndpoints } from '@counterfoil/webhooks';
import { type Command, withApp } from '../command';
import { progress } from '../progress';

/** Everything that is stored encrypted. A test reads the database for secrets of other tables. */
const STORES = [SealedEndpoints, SealedCards, SealedRefreshTokens] as const;

/** Encrypts every stored secret with the first key of `SECRETS_KEY`, while API and worker run. */
export const secretsRotate: Command = {
  name: 'secrets:rotate',
  usage: 'secrets:rotate',
  run: async (config, _, print) => {
    const results = await withApp(config, async (app) => {
      const done: Reencryption[] = [];
      for (const store of STORES) done.push(await reencrypt(app.get(store), progress(lineOf)));
      return done;
    });
    const { key, removable, ...totals } = summaryOf(config.secretsKeys, results);
    print({ key, ...totals, removable });
    if (totals.remaining > 0) throw new Error(notDone(totals));
    return undefined;
  },
};

function summaryOf([first, ...others]: SecretsKeys, results: readonly Reencryption[]) {
  const sumOf = (count: (one: Reencryption) => number) => results.reduce((sum, one) => sum + count(one), 0);
  const remaining = sumOf((one) => one.remaining);
  return {
    key: first.id,
    rows: sumOf((one) => one.rows),
    reencrypted: sumOf((one) => one.reencrypted),
    remaining,
    unreadable: results.flatMap((one) => one.unreadableRows),
    removable: remaining > 0 ? [] : others.flatMap(({ id }) => id ?? []),
  };
}

function notDone({ remaining, unreadable }: { remaining: number; unreadable: readonly string[] }): string {
  const rows = `${remaining} rows are not encrypted with the first key of SECRETS_KEY, so no key can be removed`;
  return unreadable.length > 0
    ? `${rows}. No key opens those in "unreadable": add the key that they need, or replace these secrets`
    : `${rows}. A process encrypts with another key: restart it with the same SECRETS_KEY, and repeat this command`;
}

const lineOf = ({ name, pass, read, reencrypted }: ReencryptionProgress): string =>
  `${name}: ${read} read (pass ${pass}), ${reencrypted} encrypted again`;
