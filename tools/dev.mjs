// `npm run dev`: runs the service as `npm start` does, compiles each change of a source in apps and libs, and restarts the
// processes that run it. If the build fails, they keep running.
//   npm run dev -- --inspect
// also lets a debugger attach to the API (port 9229) and to the worker (port 9230).
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { complain, say, seconds } from './lib/report.mjs';
import { runService } from './lib/service.mjs';
import { SourceWatcher } from './lib/source-watcher.mjs';
import { buildChanges, root } from './lib/workspace.mjs';

const FOLDERS = ['apps', 'libs'].map((folder) => path.join(root, folder));
const INSPECTOR_PORTS = { api: 9229, worker: 9230 };
/** Shorter than in `npm start`: interrupted work is recovered, as after a crash. */
const STOP_LIMIT_MS = 500;
const FILES_SHOWN_MAX = 5;
const BUILDS_MAX = 10;
const BUILD_PAUSE_MS = 50;
/** Sources that `prepare` applies to the database: migrations, and jobs, because each has a queue. */
const PREPARED_FROM = /(^|\/)migrations\/|\/jobs\.ts$|^libs\/(schema|queue)\//;

/** Handles one change at a time. Files whose change could not be applied are handled again with the next one. */
class Updates {
  #service;
  #files = new Set();
  #isBroken = false;
  #since = null;
  #running = false;

  constructor(service) {
    this.#service = service;
  }

  /** @param {number} since `performance.now()` at the first event of the change */
  async take(since) {
    this.#since ??= since;
    if (this.#running) return;
    this.#running = true;
    while (this.#since !== null && !this.#service.shutdown.requested) {
      const started = this.#since;
      this.#since = null;
      try {
        await this.#update(started);
      } catch (error) {
        // Continue: a change that arrived meanwhile may be the correction.
        if (!this.#service.shutdown.requested) this.#fail(error);
      }
    }
    this.#running = false;
  }

  async #update(since) {
    const { compiled, removed } = await buildSettled();
    if (this.#isBroken && compiled.length + removed.length === 0)
      say('\n  build      works again, and nothing has changed');
    this.#isBroken = false;
    const changed = [...compiled, ...removed.map((file) => `${file} (removed)`)];
    for (const file of [...compiled, ...removed]) this.#files.add(file.replaceAll(path.sep, '/'));
    if (this.#files.size === 0) return;
    if (changed.length > 0) say(`\n  changed    ${listed(changed)}`);
    const files = [...this.#files];
    if (files.some((file) => PREPARED_FROM.test(file))) await this.#service.prepare();
    await this.#restart(this.#affected(files), since);
  }

  /** A file of an app affects that app. A file of a lib affects both processes. */
  #affected(files) {
    const { api, worker } = this.#service.processes;
    const apps = { api: [api], worker: [worker] };
    const affected = files.flatMap((file) => {
      const [, app] = /^apps\/([^/]+)\//.exec(file) ?? [];
      return app ? (apps[app] ?? []) : [api, worker];
    });
    return [...new Set(affected)];
  }

  async #restart(processes, since) {
    const outcomes = await Promise.all(processes.map((process) => process.restart(STOP_LIMIT_MS)));
    if (outcomes.includes('stopped')) return;
    this.#files.clear();
    const named = (chosen) => chosen.map(({ name }) => name).join(' and ');
    const isReady = (_, at) => outcomes[at] === 'ready';
    const ready = processes.filter(isReady);
    if (ready.length > 0) say(`  restarted  ${named(ready)} (${seconds(since)})`);
    for (const [at, process] of processes.entries()) {
      if (outcomes[at] === 'ready') continue;
      this.#files.add(`apps/${process === this.#service.processes.api ? 'api' : 'worker'}/`);
      say(
        `  failed     the ${process.name} did not start (${outcomes[at]}): the next change starts it again`,
      );
    }
    if (processes.length === 0) say('  compiled   neither the API nor the worker runs this');
  }

  #fail(error) {
    this.#isBroken = true;
    say('\n  failed     the API and the worker keep running the last build');
    complain(error);
  }
}

/** Builds again if a file disappeared during the build, as it does during a checkout. */
async function buildSettled() {
  for (let attempt = 1; ; attempt++) {
    try {
      return await buildChanges();
    } catch (error) {
      if (error.code !== 'ENOENT' || attempt === BUILDS_MAX) throw error;
      await sleep(BUILD_PAUSE_MS);
    }
  }
}

function listed(files) {
  const shown = files.slice(0, FILES_SHOWN_MAX).join('\n             ');
  const others = files.length - FILES_SHOWN_MAX;
  return others > 0 ? `${shown}\n             and ${others} more` : shown;
}

const { values } = parseArgs({ options: { inspect: { type: 'boolean', default: false } } });
const flagsOf = ([name, port]) => [name, values.inspect ? [`--inspect=127.0.0.1:${port}`] : []];
// Node 22 and newer cache compiled code in this folder, so that processes start faster.
process.env.NODE_COMPILE_CACHE ??= path.join(root, 'node_modules/.cache/node-compile-cache');

await runService({
  flags: Object.fromEntries(Object.entries(INSPECTOR_PORTS).map(flagsOf)),
  whenReady: (service) => {
    const updates = new Updates(service);
    const watcher = new SourceWatcher(FOLDERS, (since) => void updates.take(since));
    service.shutdown.onStop(() => watcher.close());
    watcher.start();
    say('  Watching apps and libs. Every change is compiled, and restarts the processes that run it.');
  },
});
