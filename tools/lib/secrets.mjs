// Passes secrets to child processes without their environment, which every process of the same user can read in /proc.
import { spawn } from 'node:child_process';
import { createRequire } from 'node:module';
import path from 'node:path';
import { root } from './workspace.mjs';

const require = createRequire(path.join(root, 'dist/libs/config/src/index.js'));

/**
 * Removes the secrets from this process's environment. Call it once, after the build.
 *
 * @returns {NodeJS.ProcessEnv} the former environment, with the secrets
 */
export function takeEnvironment() {
  return require('./process-environment.js').takeProcessEnvironment();
}

/**
 * Like `spawn`, for a process of the service: passes the secrets of `env` through a pipe, whose number is SECRETS_FD.
 *
 * @param {{ env: NodeJS.ProcessEnv, stdio: unknown[], after?: Promise<unknown> }} options `after`: the secrets are passed
 *   when it resolves. Until then the process loads its code, and then blocks. If it is rejected, the process is killed.
 */
export function spawnWithSecrets(command, args, { env, stdio, after = Promise.resolve(), ...options }) {
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
  // If the process exits before it has read the pipe, its exit event reports that.
  pipe.on('error', () => {});
  const secrets = JSON.stringify(Object.fromEntries(entries.filter(isSecret)));
  after.then(
    () => pipe.end(secrets),
    () => child.kill('SIGKILL'),
  );
  return child;
}
