import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { until } from '@counterfoil/test-harness';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  cleanUp,
  isAlive,
  newSurroundings,
  processesOf,
  type Surroundings,
  Tool,
  waitUntilGone,
} from './start-service';

const ROOT = path.resolve(__dirname, '../../..');
const COPIED = [
  ...['apps', 'libs', 'tools', 'dist', 'docs'],
  ...['package.json', 'package-lock.json', 'tsconfig.base.json'],
];
const CONTROLLER = 'apps/api/src/health/health.controller.ts';
const JOBS = 'libs/queue/src/jobs.ts';
const OF_BOTH = 'libs/kernel/src/clock.ts';
/** For tests that start the whole service and restart it several times, in parallel with other tests. */
const RESTARTS_LIMIT_MS = 300_000;
const RESTART_LIMIT_MS = 90_000;

let folder: string;
let surroundings: Surroundings;
let tool: Tool;

/** Creates a built checkout that the tests may change, and one service from it: a start takes longer than a test. */
beforeAll(async () => {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), 'counterfoil dev '));
  for (const name of COPIED)
    fs.cpSync(path.join(ROOT, name), path.join(folder, name), { recursive: true, preserveTimestamps: true });
  fs.symlinkSync(path.join(ROOT, 'node_modules'), path.join(folder, 'node_modules'));
  surroundings = await newSurroundings();
  tool = new Tool([process.execPath, 'tools/dev.mjs'], surroundings.env, { folder });
  await tool.prints('Watching');
});

afterAll(async () => {
  await cleanUp(surroundings, [tool]);
  fs.rmSync(folder, { recursive: true, force: true });
});

const textOf = (file: string): string => fs.readFileSync(path.join(folder, file), 'utf8');

/** Replaces a file like editors do: writes it under another name and renames it. */
function save(file: string, text: string): void {
  const target = path.join(folder, file);
  fs.writeFileSync(`${target}.draft`, text);
  fs.renameSync(`${target}.draft`, target);
}

/** Runs `act`, and waits for a line that the tool then prints. */
async function andThen(act: () => void, line: RegExp): Promise<void> {
  const before = tool.stdout.length;
  act();
  await until(`${line} in ${tool.stdout}`, () => line.test(tool.stdout.slice(before)), RESTART_LIMIT_MS);
}

async function liveStatus(): Promise<string> {
  const response = await fetch(`http://127.0.0.1:${surroundings.port}/health/live`);
  return ((await response.json()) as { status: string }).status;
}

describe('npm run dev', () => {
  it(
    'applies a change within seconds, and keeps the last build running if a change does not compile',
    async () => {
      const original = textOf(CONTROLLER);
      const answering = (status: string) =>
        original.replace("return { status: 'ok' };", `return { status: '${status}' as 'ok' };`);
      expect(await liveStatus()).toBe('ok');

      await andThen(() => save(CONTROLLER, answering('changed')), /restarted {2}API \(\d+\.\d s\)/);
      expect(tool.stdout).toContain(`changed    ${CONTROLLER}\n`);
      expect(await liveStatus()).toBe('changed');

      await andThen(
        () => save(CONTROLLER, `${original}\nconst broken = ;\n`),
        /failed {5}the API and the worker keep/,
      );
      await until('the error', () => tool.stderr.includes('Expression expected'));
      expect(tool.stderr).toContain(`[${CONTROLLER}:`);
      expect(await liveStatus()).toBe('changed');

      const mend = () => {
        save(CONTROLLER, answering('mended'));
        save(OF_BOTH, `${textOf(OF_BOTH)}\n`);
      };
      await andThen(mend, /restarted {2}API and worker \(/);
      expect(await liveStatus()).toBe('mended');

      const failing = `${original}\nthrow new Error('not today');\n`;
      await andThen(() => save(CONTROLLER, failing), /failed {5}the API did not start \(exit code 1\)/);
      expect(tool.stderr).toContain('not today');
      await andThen(() => save(CONTROLLER, original), /restarted {2}API \(/);
      expect(await liveStatus()).toBe('ok');
    },
    RESTARTS_LIMIT_MS,
  );

  it(
    'applies a correction that is saved while the broken change is being applied',
    async () => {
      const original = textOf(JOBS);
      // This change prepares the database and fails only after the correction has been noticed.
      const broken = `${original}\nAtomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 3_000);\nthrow new Error('not ever');\n`;
      await andThen(() => save(JOBS, broken), new RegExp(`changed {4}${JOBS}`));
      await andThen(
        () => save(JOBS, original),
        /failed {5}the API and the worker keep[^]*restarted {2}API and worker \(/,
      );
      expect(tool.stderr).toContain('not ever');
      expect(await liveStatus()).toBe('ok');
    },
    RESTARTS_LIMIT_MS,
  );

  it(
    'compiles added files, notices changes in a replaced folder, and removes the output of deleted files',
    async () => {
      const added = path.join(folder, 'libs/kernel/src/added');
      const output = path.join(folder, 'dist/libs/kernel/src/added/one.js');
      const add = () => {
        fs.mkdirSync(added);
        fs.writeFileSync(path.join(added, 'one.ts'), 'export const one = 1;\n');
      };
      await andThen(add, /added\/one\.ts\n[^]*restarted {2}API and worker/);
      expect(fs.readFileSync(output, 'utf8')).toContain('const one = 1');
      const write = (value: number) =>
        fs.writeFileSync(path.join(added, 'one.ts'), `export const one = ${value};\n`);
      await andThen(() => write(2), /added\/one\.ts\n[^]*restarted {2}API and worker/);
      expect(fs.readFileSync(output, 'utf8')).toContain('const one = 2');
      const replace = () => {
        fs.rmSync(added, { recursive: true });
        fs.mkdirSync(added);
        write(3);
      };
      await andThen(replace, /added\/one\.ts\n[^]*restarted {2}API and worker/);
      await andThen(() => write(4), /added\/one\.ts\n[^]*restarted {2}API and worker/);
      expect(fs.readFileSync(output, 'utf8')).toContain('const one = 4');
      await andThen(() => fs.rmSync(added, { recursive: true }), /one\.ts \(removed\)\n[^]*restarted/);
      expect(fs.existsSync(output)).toBe(false);
    },
    RESTARTS_LIMIT_MS,
  );

  it(
    'ends every process on Ctrl-C, and when it is killed',
    async () => {
      const all = () => {
        const { supervisor, children, postgres } = processesOf(surroundings);
        return [supervisor, ...children, postgres];
      };
      // The supervisor, PostgreSQL, API and worker.
      await until('all processes', () => all().length === 4);
      const first = all();
      tool.pressCtrlC();
      expect(await tool.exited).toBe(0);
      expect(first.filter(isAlive)).toEqual([]);

      tool = new Tool([process.execPath, 'tools/dev.mjs'], surroundings.env, { folder });
      await tool.prints('Watching');
      await until('all processes', () => all().length === 4);
      const { supervisor, children } = processesOf(surroundings);
      process.kill(supervisor, 'SIGKILL');
      await waitUntilGone(children, RESTART_LIMIT_MS);
    },
    RESTARTS_LIMIT_MS,
  );
});
