// `npm run openapi:lint`: fails if the rules of Spectral (`spectral:oas`) or Redocly (`recommended`) find anything in
// docs/openapi.json or the file that is named, a warning included. Both read the file only, and send nothing.
import { createRequire } from 'node:module';
import path from 'node:path';
import { spawnSync } from 'node:child_process';
import { Fault } from './lib/fault.mjs';
import { complain, say } from './lib/report.mjs';
import { root } from './lib/workspace.mjs';

const require = createRequire(import.meta.url);
const [DOCUMENT = 'docs/openapi.json'] = process.argv.slice(2);
const OUTPUT_BYTES_MAX = 64 * 1_048_576;
const EXAMPLES_OUTDATED = 'if an example is outdated: npm run openapi:examples && npm run openapi';
const QUIET = { REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' };

/** @returns {string} the standard output of the program of a package */
function run(packageName, program, args) {
  const folder = path.dirname(require.resolve(`${packageName}/package.json`));
  const command = [path.join(folder, program), ...args];
  const { stdout, stderr, error } = spawnSync(process.execPath, command, {
    cwd: root,
    encoding: 'utf8',
    maxBuffer: OUTPUT_BYTES_MAX,
    env: { ...process.env, ...QUIET },
  });
  if (error || stdout.trim() === '')
    throw new Fault(`${packageName} printed no result`, error?.message ?? stderr);
  return stdout;
}

/** @returns {string[]} a line for each problem */
function problemsOfSpectral() {
  const args = ['lint', DOCUMENT, '--ruleset', '.spectral.yaml', '--format', 'json', '--quiet'];
  const found = JSON.parse(run('@stoplight/spectral-cli', 'dist/index.js', args));
  return found.map((one) => `spectral ${one.code} at ${one.path.join('.')}: ${one.message}`);
}

/** @returns {string[]} a line for each problem */
function problemsOfRedocly() {
  const args = ['lint', DOCUMENT, '--extends', 'recommended', '--format', 'json'];
  const { problems } = JSON.parse(run('@redocly/cli', 'bin/cli.js', args));
  return problems.map((one) => `redocly ${one.ruleId} at ${one.location[0]?.pointer}: ${one.message}`);
}

try {
  const problems = [...problemsOfSpectral(), ...problemsOfRedocly()];
  const hint = problems.some((problem) => problem.includes('example')) ? [EXAMPLES_OUTDATED] : [];
  if (problems.length > 0)
    throw new Fault(`the rules for ${DOCUMENT} find ${problems.length} problems:`, ...problems, ...hint);
  say(`the rules of Spectral and Redocly find nothing in ${DOCUMENT}`);
} catch (error) {
  complain(error);
  process.exitCode = 1;
}
