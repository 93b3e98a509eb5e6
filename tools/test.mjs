// `npm test`: every test of every project, against a PostgreSQL of this run's own, and Redis where one answers.
import { spawn } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import preset from '../jest.preset.js';
import { read } from './lib/environment.mjs';
import { complain, say, seconds } from './lib/report.mjs';
import { Shutdown } from './lib/shutdown.mjs';
import { root } from './lib/workspace.mjs';
import { kindOf, projectOf, runJest } from './testing/jest-run.mjs';
import { prepareRun } from './testing/prepared-run.mjs';

/** With more failed files than these, the tests are not judged again: the fault is not one of time. */
const JUDGED_AGAIN_MAX = 5;

async function test(shutdown) {
  const prepared = await prepareRun(shutdown);
  const { findTestRedis } = await import('./testing/test-redis.mjs');
  const redis = await findTestRedis(read('TEST_REDIS_URL'), preset.E2E_WORKERS);
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
    ...(redis.urls.length > 0 && { TEST_REDIS_URL: redis.urls.join() }),
  };
  const code = await runTargets(env, shutdown);
  shutdown.signal.throwIfAborted();
  const tally = sum(linesOf(files.tally));
  const unsteady = await judgeAgain(tally.failures, env, shutdown);
  return {
    code,
    redis,
    tally,
    unsteady,
    stores: [...new Set(linesOf(files.stores))].sort(),
  };
}

/**
 * Projects share the cores, and so do the files of an end-to-end project. Tests that measure time have them alone.
 *
 * @returns {Promise<number>} the exit code; a failed phase does not keep the next one from running
 */
async function runTargets(env, shutdown) {
  const phases = [
    ['--targets=test,integration', '--parallel=3'],
    ['--targets=e2e', '--parallel=1'],
    ['--targets=timed', '--parallel=1'],
  ];
  let code = 0;
  for (const flags of phases) {
    code = (await runNx(flags, env, shutdown)) || code;
    shutdown.signal.throwIfAborted();
  }
  return code;
}

/**
 * Runs the files of failed tests once more, one at a time with nothing beside them: many tests measure time, and a
 * machine may stall for seconds. A test that fails again has failed; one that passes is reported by name as unsteady.
 *
 * @returns {Promise<Set<object>>} the failures whose file passed alone
 */
async function judgeAgain(failures, env, shutdown) {
  const unsteady = new Set();
  const files = [...new Set(failures.map(({ file }) => file))];
  if (files.length > JUDGED_AGAIN_MAX) return unsteady;
  for (const file of files) {
    say(`\n${file} failed, and is run once more, alone`);
    // It is counted already.
    const alone = { ...env, TEST_KIND: kindOf(file), TEST_TALLY: '' };
    const code = await runJest(projectOf(file), { files: [file], env: alone, signal: shutdown.signal });
    shutdown.signal.throwIfAborted();
    if (code === 0) for (const each of failures.filter((failed) => failed.file === file)) unsteady.add(each);
  }
  return unsteady;
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

/** Each line is the beginning of one Jest run, or its count (testing/tally-reporter.cjs). */
function sum(lines) {
  const counts = lines.map((line) => JSON.parse(line));
  const total = (name) => counts.reduce((all, count) => all + (count[name] ?? 0), 0);
  return {
    cutOff: total('begun') - total('ended'),
    passed: total('passed'),
    failed: total('failed'),
    skipped: total('skipped'),
    failures: counts.flatMap(({ failures = [] }) => failures),
  };
}

function report({ code, redis, tally, unsteady, stores }, started) {
  // Said once more at the end: where a test failed early in a long run, its own lines are far above.
  for (const failure of tally.failures) {
    const verdict = unsteady.has(failure) ? 'unsteady, failed once and passed alone' : 'failed';
    say(`\n${verdict}: ${failure.file}\n  ${failure.name}\n${failure.message}`);
  }
  say(`\ntook ${seconds(started)}`);
  const covered = stores.length > 0 ? stores.join(', ') : 'none';
  say(`queue stores covered: ${covered}${redis.urls.length > 0 ? '' : ` (${redis.note})`}`);
  if (tally.skipped > 0) say(`${tally.skipped} skipped`);
  if (tally.passed + tally.failed === 0) say('no test has run');
  // A run that broke down outside of any test, and so is in no count, is a failure too.
  const broken = tally.cutOff > 0 || (code !== 0 && tally.failed === 0);
  if (broken) say(`the test runner failed (exit code ${code}), see above: counted as one failure`);
  if (unsteady.size > 0) say(`${unsteady.size} unsteady, counted as passed`);
  const failed = tally.failed - unsteady.size + (broken ? 1 : 0);
  const passed = tally.passed + unsteady.size;
  say(`${passed} passed, ${failed} failed`);
  return failed > 0 || passed === 0 ? 1 : 0;
}

const shutdown = new Shutdown();
shutdown.listen();
const started = performance.now();
const result = await test(shutdown).catch((error) => shutdown.request(error));
await shutdown.run();
if (shutdown.fault) complain(shutdown.fault);
const code = result ? report(result, started) : 1;
process.exit(shutdown.fault || shutdown.failed ? 1 : code);
