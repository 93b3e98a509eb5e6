import os from 'node:os';
import path from 'node:path';

/** The settings that come from the environment. Empty variables count as unset. */
export interface Environment {
  /** The service and its key, for scripts; both take precedence over a stored login. */
  readonly url: string | undefined;
  readonly key: string | undefined;
  /** The service that `npm start` runs in the same clone, if nothing else names one. */
  readonly localUrl: string | undefined;
  readonly localKey: string | undefined;
  /** The folder of this program's own files. */
  readonly configFolder: string;
}

export function readEnvironment(variables: NodeJS.ProcessEnv = process.env): Environment {
  const read = (name: string) => variables[name]?.trim() || undefined;
  return {
    url: read('COUNTERFOIL_URL'),
    key: read('COUNTERFOIL_KEY'),
    localUrl: read('COUNTERFOIL_LOCAL_URL'),
    localKey: read('COUNTERFOIL_LOCAL_KEY'),
    configFolder: path.join(read('XDG_CONFIG_HOME') ?? path.join(os.homedir(), '.config'), 'counterfoil'),
  };
}
