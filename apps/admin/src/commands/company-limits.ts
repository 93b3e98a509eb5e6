import { parseRate, parseSize, RATE_RULE, SIZE_RULE } from '@counterfoil/config';
import { type CompanyLimitChanges, SetCompanyLimits } from '@counterfoil/identity';
import type { RateLimit } from '@counterfoil/kernel';
import { type Command, type Options, requiredId, UsageError, withApp } from '../command';

const usage =
  'company:limits --company ID [--rate RATE|off|default] [--key-rate RATE|off|default] ' +
  '[--file-bytes SIZE|off|default] [--file-count COUNT|off|default] [--daily-mails COUNT|off|default]';

type Setting<T> = T | null | 'default' | undefined;

/** Sets limits for one company, and prints its limits. Without an option it only prints them. */
export const companyLimits: Command = {
  name: 'company:limits',
  usage,
  run: async (config, options) => {
    const companyId = requiredId(options, 'company', usage);
    const fileBytes = readLimit(options, 'file-bytes', parseSize, SIZE_RULE);
    const fileCount = readLimit(options, 'file-count', parseCount, 'a whole number');
    const dailyMails = readLimit(options, 'daily-mails', parseCount, 'a whole number');
    const company = partsOf(readLimit(options, 'rate', parseRate, RATE_RULE));
    const key = partsOf(readLimit(options, 'key-rate', parseRate, RATE_RULE));
    const changes: CompanyLimitChanges = {
      ...(fileBytes !== undefined && { fileBytes }),
      ...(fileCount !== undefined && { fileCount }),
      ...(dailyMails !== undefined && { dailyMails }),
      ...(company && { companyRequests: company.requests, companyWindowSeconds: company.windowSeconds }),
      ...(key && { keyRequests: key.requests, keyWindowSeconds: key.windowSeconds }),
    };
    const limits = await withApp(config, (app) => app.get(SetCompanyLimits).execute(companyId, changes));
    return { companyId, limits };
  },
};

/** `off` lifts the limit for the company, `default` gives it back to the installation's value. */
function readLimit<T>(
  options: Options,
  name: string,
  parse: (text: string) => T | null,
  rule: string,
): Setting<T> {
  const text = options[name];
  if (text === undefined || text === 'default') return text;
  if (text === 'off') return null;
  const value = parse(String(text));
  if (value === null) throw new UsageError(`--${name} must be ${rule}, off or default: ${usage}`);
  return value;
}

const parseCount = (text: string): number | null => (/^\d{1,15}$/.test(text) ? Number(text) : null);

/** A rate is stored as two limits, which are set and lifted together. */
function partsOf(rate: Setting<RateLimit>) {
  if (rate === undefined) return undefined;
  if (rate === null || rate === 'default') return { requests: rate, windowSeconds: rate };
  return rate;
}
