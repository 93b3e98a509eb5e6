// Runs Jest: on all tests of one kind, or on named files of one project.
import { spawn } from 'node:child_process';
import path from 'node:path';
import { root } from '../lib/workspace.mjs';

/** The folder of the project that a file belongs to, such as `libs/webhooks`. */
export const projectOf = (file) =>
  path.relative(root, path.resolve(root, file)).split(path.sep).slice(0, 2).join('/');

const KIND = /\.(?:(timed|integration|e2e)(?:\.integration|\.e2e)?\.spec|(trial|bench))\.ts$/;

/** The kind of a test file, by its name: the value of TEST_KIND that runs it. */
export function kindOf(file) {
  const [, spec, long] = KIND.exec(file) ?? [];
  return spec ?? long ?? 'unit';
}

/**
 * Runs all tests of one kind, of all projects, with the workers of Jest.
 *
 * @param {string} kind a value of TEST_KIND
 * @param {{ env: NodeJS.ProcessEnv, signal: AbortSignal }} run
 * @returns {Promise<number>} the exit code
 */
export function runAll(kind, { env, signal }) {
  return startJest(['--config', 'jest.config.js'], { env: { ...env, TEST_KIND: kind }, signal });
}

/**
 * Runs test files of one project, without the workers of Jest.
 *
 * @param {string} project its folder
 * @param {{ files: string[], options?: string[], env: NodeJS.ProcessEnv, signal: AbortSignal }} run
 *   `TEST_KIND` in `env` is the kind of the files; `options` are passed to Jest
 * @returns {Promise<number>} the exit code
 */
export function runJest(project, { files, options = [], env, signal }) {
  const config = ['--config', `${project}/jest.config.js`];
  const args = [...config, '--runInBand', ...options, '--runTestsByPath', ...files];
  return startJest(args, { env, signal });
}

function startJest(args, { env, signal }) {
  const jest = path.join(root, 'node_modules/jest/bin/jest.js');
  const child = spawn(process.execPath, [jest, ...args], {
    cwd: root,
    env,
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  signal.addEventListener('abort', () => child.kill('SIGTERM'), { once: true });
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', (code) => resolve(code ?? 1));
  });
}
