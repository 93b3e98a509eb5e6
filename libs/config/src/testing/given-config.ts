import { type Config, ConfigError } from '../config';
import type { Environment } from '../environment-reader';
import { loadConfig } from '../load-config';

/** What must be there. */
export const VALID = { DATABASE_URL: 'postgres://localhost/counterfoil', SECRETS_KEY: 'k'.repeat(32) };

/** The configuration of an environment that has what must be there, and what is given. */
export const givenConfig = (env: Environment): Config => loadConfig({ ...VALID, ...env });

/** What is wrong with such an environment, a line for each variable; empty where nothing is. */
export function faultsOf(env: Environment): readonly string[] {
  try {
    givenConfig(env);
    return [];
  } catch (error) {
    if (error instanceof ConfigError) return error.faults;
    throw error;
  }
}
