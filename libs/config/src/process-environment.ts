import fs from 'node:fs';
import type { Environment } from './environment-reader';
import { LIBRARY_SECRETS, SECRET_VARIABLES } from './secret-variables';

/** The file descriptor through which a supervisor passes the secrets, as a JSON object. */
const HANDED = 'SECRETS_FD';

/**
 * Returns the environment of this process and removes the secrets from it, so that neither child processes
 * nor `/proc/PID/environ` expose them. Only this file accesses `process.env`.
 */
export function takeProcessEnvironment(): Environment {
  const env = { ...process.env, ...handedSecrets(process.env[HANDED]) };
  for (const name of SECRET_VARIABLES) delete process.env[name];
  for (const name of LIBRARY_SECRETS) moveVariable(name);
  delete process.env[HANDED];
  eraseInitialEnvironment([...SECRET_VARIABLES, ...LIBRARY_SECRETS]);
  return env;
}

function handedSecrets(descriptor: string | undefined): Environment {
  if (!descriptor) return {};
  const file = Number(descriptor);
  try {
    // Blocks until the supervisor passes the secrets, which `npm start` does after it has prepared the database.
    const secrets = fs.readFileSync(file, 'utf8');
    if (secrets === '') throw new Error('the supervisor ended before it passed the secrets');
    return JSON.parse(secrets) as Environment;
  } finally {
    fs.closeSync(file);
  }
}

/** Setting a variable copies it to memory that `/proc/PID/environ` does not expose. */
function moveVariable(name: string): void {
  const value = process.env[name];
  if (value !== undefined) process.env[name] = value;
}

/**
 * On Linux, `/proc/PID/environ` exposes the memory in which the environment was passed, even after variables
 * were changed or deleted. This overwrites the values there.
 */
function eraseInitialEnvironment(names: readonly string[]): void {
  if (process.platform !== 'linux') return;
  try {
    const shown = fs.readFileSync('/proc/self/environ');
    const values = names.flatMap((name) => valuesIn(shown, name));
    if (values.length > 0) overwrite(environmentStart(), values);
    if (values.every(({ at, length }) => isErased(at, length))) return;
  } catch {
    // The warning below reports it.
  }
  process.emitWarning(
    'the secrets in the environment stay readable in /proc: pass them as files, by the variables that end in _FILE',
  );
}

interface Stretch {
  readonly at: number;
  readonly length: number;
}

/** Finds the values of a variable. A name may occur twice. */
function valuesIn(shown: Buffer, name: string): Stretch[] {
  const found: Stretch[] = [];
  let at = 0;
  while (at < shown.length) {
    const end = shown.indexOf(0, at) < 0 ? shown.length : shown.indexOf(0, at);
    const begin = at + name.length + 1;
    if (shown.subarray(at, begin).toString() === `${name}=`) found.push({ at: begin, length: end - begin });
    at = end + 1;
  }
  return found;
}

/**
 * Returns the address at which the environment starts: `env_start`, field 50 of `/proc/self/stat`. Fields are
 * counted from the last `)`, because field 2, the name of the process, may contain blanks and parentheses.
 */
function environmentStart(): number {
  const stat = fs.readFileSync('/proc/self/stat', 'utf8');
  return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[47]);
}

function overwrite(start: number, values: readonly Stretch[]): void {
  const memory = fs.openSync('/proc/self/mem', 'r+');
  try {
    for (const { at, length } of values) fs.writeSync(memory, Buffer.alloc(length), 0, length, start + at);
  } finally {
    fs.closeSync(memory);
  }
}

function isErased(at: number, length: number): boolean {
  const shown = fs.readFileSync('/proc/self/environ').subarray(at, at + length);
  return shown.every((byte) => byte === 0);
}
