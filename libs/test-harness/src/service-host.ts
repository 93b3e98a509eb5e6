import fs from 'node:fs';
import { expect } from '@jest/globals';
import type { App, Environment, Program } from './program';

interface Host {
  readonly url: string;
  /** The file with its output. */
  readonly log: string;
}

/**
 * Variables that concern a whole process, or that libraries read from it. A host runs the programs of many tests.
 */
const OF_A_PROCESS =
  /^(TZ|FAULT_POINT|CLOCK_SHIFT_MS|SECRETS_FD|NODE_(?!ENV$).*|OTEL_.*|AWS_.*|PG[A-Z]+|UV_.*|LD_.*|SSL_.*|(HTTPS?|ALL|NO)_PROXY)$/i;
/** The last part of the log that an error shows. */
const SHOWN_BYTES = 4_000;

/** Whether the run has hosts: end-to-end tests have, while timed tests, trials and benches measure real processes. */
export const hasHosts = (): boolean => process.env['TEST_HOSTS'] !== undefined;

/**
 * Starts a program in the host of this Jest worker (tools/testing/service-host.cjs). Resolves when it is ready. Its log
 * is all output of the host since then, with that of other programs that the test starts there.
 *
 * @throws Error with the fault, if it does not start
 */
export async function startInHost(app: App, env: Environment): Promise<Program> {
  assertHostable(env);
  const host = hostOf(app);
  const begin = fs.statSync(host.log).size;
  const program = await post(host, 'start', { env, file: expect.getState().testPath });
  return {
    get log() {
      return textFrom(host.log, begin);
    },
    stop: () => post(host, 'stop', program),
  };
}

function assertHostable(env: Environment): void {
  const refused = Object.keys(env).filter((name) => OF_A_PROCESS.test(name) && !isTrustedAlready(name, env));
  if (refused.length > 0) throw new Error(`${refused.join()} needs a process: use startProcesses`);
}

/** The hosts trust the certificate of the run. */
const isTrustedAlready = (name: string, env: Environment): boolean =>
  name === 'NODE_EXTRA_CA_CERTS' && env[name] === process.env['TEST_CERTIFICATE'];

function hostOf(app: App): Host {
  const hosts = JSON.parse(process.env['TEST_HOSTS'] ?? '{}') as Partial<Record<App, Host[]>>;
  const host = hosts[app]?.[Number(process.env['JEST_WORKER_ID'] ?? 1) - 1];
  if (!host) throw new Error(`the run has no host of the ${app} for this Jest worker`);
  return host;
}

async function post({ url, log }: Host, act: 'start' | 'stop', body: unknown): Promise<unknown> {
  const response = await fetch(`${url}/${act}`, { method: 'POST', body: JSON.stringify(body) }).catch(
    () => null,
  );
  if (response?.ok) return response.json();
  const reason = response ? await response.text() : 'the host has ended';
  const end = textFrom(log, Math.max(0, fs.statSync(log).size - SHOWN_BYTES));
  throw new Error(`a program in a host did not ${act}: ${reason}\n${end}`);
}

function textFrom(file: string, begin: number): string {
  const bytes = Buffer.alloc(Math.max(0, fs.statSync(file).size - begin));
  const descriptor = fs.openSync(file, 'r');
  try {
    return bytes.toString('utf8', 0, fs.readSync(descriptor, bytes, 0, bytes.length, begin));
  } finally {
    fs.closeSync(descriptor);
  }
}
