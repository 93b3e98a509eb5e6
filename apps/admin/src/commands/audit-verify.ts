import { type KnownEntry, VerifyAuditLog } from '@counterfoil/audit-log';
import { assertCompany, type Command, type Options, requiredId, UsageError, withApp } from '../command';

const usage = 'audit:verify [--company ID [--head POSITION:HASH]]';
const HEAD = /^(\d{1,15}):([\da-f]{64})$/;

/** Prints a line for each company, and fails if a log is not as it was written. */
export const auditVerify: Command = {
  name: 'audit:verify',
  usage,
  run: async (config, options, print) => {
    const companyId = options['company'] === undefined ? null : requiredId(options, 'company', usage);
    const head = readHead(options, companyId);
    const verified = await withApp(config, async (app) => {
      // Company 0 is the installation.
      if (companyId !== null && companyId !== 0) await assertCompany(app, companyId);
      return app.get(VerifyAuditLog).execute(companyId, head, print);
    });
    print(verified);
    const { companies, faults } = verified;
    if (faults > 0) throw new Error(`the audit logs of ${faults} of ${companies} companies are damaged`);
    return undefined;
  },
};

function readHead({ head }: Options, companyId: number | null): KnownEntry | null {
  if (head === undefined) return null;
  const [, position, hash] = HEAD.exec(String(head)) ?? [];
  if (companyId !== null && position !== undefined && hash !== undefined)
    return { position: Number(position), hash };
  throw new UsageError(`--head must be POSITION:HASH of an earlier check, with --company: ${usage}`);
}
