// `npm test`: runs all tests of all projects, on a temporary PostgreSQL and, if one is available, on Redis.
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import preset from '../jest.preset.js';
import { read } from './lib/environment.mjs';
import { complain, say, seconds } from './lib/report.mjs';
import { Shutdown } from './lib/shutdown.mjs';
import { kindOf, projectOf, runAll, runJest } from './testing/jest-run.mjs';
import { isLeftOut, limitOf } from './testing/timed-limit.mjs';
import { prepareRun } from './testing/prepared-run.mjs';

/** If more files than this fail, none is run again, because the cause is not a timing fault. */
const JUDGED_AGAIN_MAX = 10;

async function test(shutdown) {
  const prepared = await prepareRun(shutdown);
  const { findTestRedis } = await import('./testing/test-redis.mjs');
  const redis = await findTestRedis(read('TEST_REDIS_URL'), preset.WORKERS_MAX);
  shutdown.onStop(() => redis.release());
  say(redis.note);
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'counterfoil-tally-'));
  shutdown.onStop(() => fs.rmSync(folder, { recursive: true, force: true }));
  const files = { tally: path.join(folder, 'tally'), stores: path.join(folder, 'stores') };

  const env = {
    ...prepared,
    TEST_TALLY: files.tally,
    TEST_STORES: files.stores,
    ...(redis.urls.length > 0 && { TEST_REDIS_URL: redis.urls.join() }),
  };
  const { code, leftOut } = await runKinds(env, shutdown);
  shutdown.signal.throwIfAborted();
  const tally = sum(linesOf(files.tally));
  const unsteady = await judgeAgain(tally.failures, env, shutdown);
  return {
    code,
    leftOut,
    redis,
    tally,
    unsteady,
    stores: [...new Set(linesOf(files.stores))].sort(),
  };
}

/**
 * Runs one kind after the other, each in one Jest process, so that nothing runs beside tests that measure time.
 *
 * @returns {Promise<{ code: number, leftOut: string[] }>} the exit code, and kinds that were not run; later kinds run even
 *   after a failure
 */
async function runKinds(env, shutdown) {
  const limit = limitOf(read('TEST_TIMED_WITHIN'));
  let code = 0;
  const leftOut = [];
  for (const kind of preset.WHOLE_RUN) {
    const started = performance.now();
    if (isLeftOut(kind, started, limit)) {
      leftOut.push(kind);
      continue;
    }
    code = (await runAll(kind, { env, signal: shutdown.signal })) || code;
    shutdown.signal.throwIfAborted();
    say(`${kind} tests took ${seconds(started)}`);
  }
  return { code, leftOut };
}

/**
 * Runs the files of failed tests once more, one at a time with nothing beside them, because a busy machine may stall for
 * seconds. Tests that pass then are reported by name as unsteady.
 *
 * @returns {Promise<Set<object>>} the failures whose file passed when it ran alone
 */
async function judgeAgain(failures, env, shutdown) {
  const unsteady = new Set();
  const files = [...new Set(failures.map(({ file }) => file))];
  if (files.length > JUDGED_AGAIN_MAX) return unsteady;
  for (const file of files) {
    say(`\n${file} failed, and is run once more, alone`);
    // The first run has been counted.
    const alone = { ...env, TEST_KIND: kindOf(file), TEST_TALLY: '' };
    const code = await runJest(projectOf(file), { files: [file], env: alone, signal: shutdown.signal });
    shutdown.signal.throwIfAborted();
    if (code === 0) for (const each of failures.filter((failed) => failed.file === file)) unsteady.add(each);
  }
  return unsteady;
}

function linesOf(file) {
  return fs.existsSync(file) ? fs.readFileSync(file, 'utf8').split('\n').filter(Boolean) : [];
}

/** Each line reports the start or the counts of one Jest run (testing/tally-reporter.cjs). */
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

function report({ code, leftOut, redis, tally, unsteady, stores }, started) {
  // Repeated at the end, because the output of an early failure is far above.
  for (const failure of tally.failures) {
    const verdict = unsteady.has(failure) ? 'unsteady, failed once and passed alone' : 'failed';
    say(`\n${verdict}: ${failure.file}\n  ${failure.name}\n${failure.message}`);
  }
  say(`\ntook ${seconds(started)}`);
  const covered = stores.length > 0 ? stores.join(', ') : 'none';
  say(`queue stores covered: ${covered}${redis.urls.length > 0 ? '' : ` (${redis.note})`}`);
  for (const kind of leftOut)
    say(
      `${kind} tests were left out, because the others took longer than ${read('TEST_TIMED_WITHIN')} minutes`,
    );
  if (tally.skipped > 0) say(`${tally.skipped} skipped`);
  if (tally.passed + tally.failed === 0) say('no test has run');
  // A run that failed outside of any test is in no count.
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
