// Hands secrets to the processes that are started, past their environment: what a process is started with, every other
// process of the same user can read in /proc for as long as it runs.
import { spawn } from 'node:child_process';
import { createRequire } from 'node:module';
import path from 'node:path';
import { root } from './workspace.mjs';

const require = createRequire(path.join(root, 'dist/libs/config/src/index.js'));

/**
 * Takes the secrets out of this process's environment. To be called once, when the code is built.
 *
 * @returns {NodeJS.ProcessEnv} the environment as it was
 */
export function takeEnvironment() {
  return require('./process-environment.js').takeProcessEnvironment();
}

/** As `spawn`, for a process of the service: the secrets of `env` go through a pipe of their own, named by SECRETS_FD. */
export function spawnWithSecrets(command, args, { env, stdio, ...options }) {
  const { SECRET_VARIABLES } = require('./secret-variables.js');
  const isSecret = ([name]) => SECRET_VARIABLES.includes(name);
  const entries = Object.entries(env);
  const visible = Object.fromEntries(entries.filter((entry) => !isSecret(entry)));
  const child = spawn(command, args, {
    ...options,
    env: { ...visible, SECRETS_FD: `${stdio.length}` },
    stdio: [...stdio, 'pipe'],
  });
  const pipe = child.stdio[stdio.length];
  // A process that ends before it has read them is heard of by its exit.
  pipe.on('error', () => {});
  pipe.end(JSON.stringify(Object.fromEntries(entries.filter(isSecret))));
  return child;
}
