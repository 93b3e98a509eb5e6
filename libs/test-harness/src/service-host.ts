import fs from 'node:fs';
import type { App, Environment, Program } from './test-service';

interface Host {
  readonly url: string;
  /** The file with its output. */
  readonly log: string;
}

/** Variables that concern the whole process. A host runs the programs of many tests. */
const OF_A_PROCESS = /^(TZ|FAULT_POINT|NODE_(?!ENV$).*|OTEL_.*|(HTTPS?|ALL|NO)_PROXY)$/i;

/** Whether the run has hosts: end-to-end tests have, while timed tests, trials and benches measure real processes. */
export const hasHosts = (): boolean => process.env['TEST_HOSTS'] !== undefined;

/**
 * Starts a program in the host of this Jest worker (tools/testing/service-host.cjs). Resolves when it is ready. Its log
 * is the output of the host since then.
 *
 * @throws Error with the fault, if it does not start
 */
export async function startInHost(app: App, env: Environment): Promise<Program> {
  assertHostable(env);
  const host = hostOf(app);
  const begin = fs.statSync(host.log).size;
  const program = await post(`${host.url}/start`, env);
  return {
    get log() {
      return fs.readFileSync(host.log).toString('utf8', begin);
    },
    stop: () => post(`${host.url}/stop`, program),
  };
}

function assertHostable(env: Environment): void {
  // The hosts have the one of the run.
  const own = Object.keys(env).filter((name) => env[name] !== process.env['TEST_CERTIFICATE']);
  const refused = own.filter((name) => OF_A_PROCESS.test(name));
  if (refused.length > 0) throw new Error(`${refused.join()} needs a process: use startProcesses`);
}

function hostOf(app: App): Host {
  const hosts = JSON.parse(process.env['TEST_HOSTS'] ?? '{}') as Partial<Record<App, Host[]>>;
  const host = hosts[app]?.[Number(process.env['JEST_WORKER_ID'] ?? 1) - 1];
  if (!host) throw new Error(`the run has no host of the ${app} for this Jest worker`);
  return host;
}

async function post(url: string, body: unknown): Promise<unknown> {
  const response = await fetch(url, { method: 'POST', body: JSON.stringify(body) });
  if (!response.ok) throw new Error(`a program in a host failed: ${await response.text()}`);
  return response.json();
}
