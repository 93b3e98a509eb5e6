// `npm test`: every test of every project, against a PostgreSQL of this run's own, and Redis where one answers.
import { spawn } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { read } from './lib/environment.mjs';
import { complain, say, seconds } from './lib/report.mjs';
import { Shutdown } from './lib/shutdown.mjs';
import { root } from './lib/workspace.mjs';
import { prepareRun } from './testing/prepared-run.mjs';

async function test(shutdown) {
  const prepared = await prepareRun(shutdown);
  const { findTestRedis } = await import('./testing/test-redis.mjs');
  const redis = await findTestRedis(read('TEST_REDIS_URL'));
  shutdown.onStop(() => redis.release());
  say(redis.note);
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'counterfoil-tally-'));
  shutdown.onStop(() => fs.rmSync(folder, { recursive: true, force: true }));
  const files = { tally: path.join(folder, 'tally'), stores: path.join(folder, 'stores') };

  const env = {
    ...prepared,
    TEST_TALLY: files.tally,
    TEST_STORES: files.stores,
    NX_TUI: 'false',
    ...(redis.url && { TEST_REDIS_URL: redis.url }),
  };
  const code = await runTargets(env, shutdown);
  shutdown.signal.throwIfAborted();
  return {
    code,
    redis,
    tally: sum(linesOf(files.tally)),
    stores: [...new Set(linesOf(files.stores))].sort(),
  };
}

/**
 * Projects share the cores, but for the end-to-end tests, which start processes and measure time.
 *
 * @returns {Promise<number>} the exit code; a failed phase does not keep the next one from running
 */
async function runTargets(env, shutdown) {
  const within = await runNx(['--targets=test,integration', '--parallel=2'], env, shutdown);
  shutdown.signal.throwIfAborted();
  const endToEnd = await runNx(['--targets=e2e', '--parallel=1'], env, shutdown);
  return within || endToEnd;
}

function runNx(flags, env, shutdown) {
  const nx = path.join(root, 'node_modules/nx/dist/bin/nx.js');
  // A result from the cache would be missing in the count.
  const args = [nx, 'run-many', ...flags, '--skip-nx-cache', '--output-style=stream'];
  const child = spawn(process.execPath, args, { cwd: root, env, stdio: ['ignore', 'inherit', 'inherit'] });
  shutdown.signal.addEventListener('abort', () => child.kill('SIGTERM'), { once: true });
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', (code) => resolve(code ?? 1));
  });
}

function linesOf(file) {
  return fs.existsSync(file) ? fs.readFileSync(file, 'utf8').split('\n').filter(Boolean) : [];
}

/** Each line is the count of one Jest run (testing/tally-reporter.cjs). */
function sum(lines) {
  const counts = lines.map((line) => JSON.parse(line));
  const total = (name) => counts.reduce((all, count) => all + count[name], 0);
  return { passed: total('passed'), failed: total('failed'), skipped: total('skipped') };
}

function report({ code, redis, tally, stores }, started) {
  say(`\ntook ${seconds(started)}`);
  const covered = stores.length > 0 ? stores.join(', ') : 'none';
  say(`queue stores covered: ${covered}${redis.url ? '' : ` (${redis.note})`}`);
  if (tally.skipped > 0) say(`${tally.skipped} skipped`);
  if (tally.passed + tally.failed === 0) say('no test has run');
  // A run that broke down outside of any test, and so is in no count, is a failure too.
  const broken = code !== 0 && tally.failed === 0;
  if (broken) say(`the test runner failed (exit code ${code}), see above: counted as one failure`);
  const failed = broken ? 1 : tally.failed;
  say(`${tally.passed} passed, ${failed} failed`);
  return failed > 0 || tally.passed === 0 ? 1 : 0;
}

const shutdown = new Shutdown();
shutdown.listen();
const started = performance.now();
const result = await test(shutdown).catch((error) => shutdown.request(error));
await shutdown.run();
if (shutdown.fault) complain(shutdown.fault);
const code = result ? report(result, started) : 1;
process.exit(shutdown.fault || shutdown.failed ? 1 : code);
