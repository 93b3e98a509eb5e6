import { type Config, ConfigError } from '../config';
import type { Environment } from '../environment-reader';
import { loadConfig } from '../load-config';

/** The required variables. */
export const VALID = { DATABASE_URL: 'postgres://localhost/counterfoil', SECRETS_KEY: 'k'.repeat(32) };

/** Loads the configuration from the required variables and the given ones. */
export const givenConfig = (env: Environment): Config => loadConfig({ ...VALID, ...env });

/** Returns the faults of such an environment, one for each variable. */
export function faultsOf(env: Environment): readonly string[] {
  try {
    givenConfig(env);
    return [];
  } catch (error) {
    if (error instanceof ConfigError) return error.faults;
    throw error;
  }
}
