import { spawn } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import path from 'node:path';
import { until } from '@counterfoil/test-harness';
import { StartClient } from './start-client';
import { cleanUp, newSurroundings, processesOf, start } from './start-service';

const OBSERVABILITY = path.resolve(__dirname, '../../../dist/libs/observability/src/index.js');
const CALLS = 20;

/** Every write to it fails with ENOSPC. */
let full: number;

beforeAll(() => {
  full = fs.openSync('/dev/full', 'w');
});
afterAll(() => fs.closeSync(full));

/** Runs a program with a `log`. Returns its exit code or signal, its standard error, and its log if that is readable. */
async function run(
  logFormat: string,
  program: string,
  output: number | 'pipe' = full,
): Promise<{ ended: unknown; said: string; lines: string[] }> {
  const settings = JSON.stringify({ logLevel: 'info', logFormat });
  const log = `const log = require(${JSON.stringify(OBSERVABILITY)}).createLog(${settings}, 'test');`;
  const child = spawn(process.execPath, ['-e', log + program], { stdio: ['ignore', output, 'pipe'] });
  const limit = setTimeout(() => child.kill('SIGKILL'), 10_000);
  let [said, written] = ['', ''];
  child.stdout?.on('data', (text: Buffer) => (written += text.toString()));
  child.stderr!.on('data', (text: Buffer) => (said += text.toString()));
  const [code, signal] = (await once(child, 'close')) as [number | null, NodeJS.Signals | null];
  clearTimeout(limit);
  return { ended: signal ?? code, said, lines: written.split('\n').filter((line) => line !== '') };
}

describe.each(['json', 'pretty'])('a log as %s', (format) => {
  const LINES = `for (const number of [1, 2, 3]) log.info({ number }, 'a line');`;

  it.each(['process.exit(0);', ''])('has its last lines when the process ends by "%s"', async (end) => {
    const { ended, lines } = await run(format, LINES + end, 'pipe');
    expect(ended).toBe(0);
    expect(lines.map((line) => /"number":(\d)/.exec(line)?.[1])).toEqual(['1', '2', '3']);
  });

  it('has a warning, and all lines before it, when the process is killed after it', async () => {
    // No timer fires meanwhile, so no batch is written. The system has a second to write the warning.
    const wait = 'Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1_000);';
    const killed = `${LINES} log.warn({ number: 4 }, 'a warning'); ${wait} process.kill(process.pid, 'SIGKILL');`;
    const { ended, lines } = await run(format, killed, 'pipe');
    expect(ended).toBe('SIGKILL');
    expect(lines).toHaveLength(4);
  });
});

describe.each(['json', 'pretty'])('a log that cannot be written, as %s,', (format) => {
  it('does not end the process', async () => {
    const program = `
      let lines = 0;
      const timer = setInterval(() => {
        log.info({ lines }, 'a line');
        if (++lines < 20) return;
        clearInterval(timer);
        process.stderr.write('went on');
        process.exit(0);
      }, 5);`;
    expect(await run(format, program)).toMatchObject({ ended: 0, said: 'went on' });
  });

  it('does not prevent the process from exiting right after its first lines', async () => {
    const program = `log.error({}, 'one'); log.error({}, 'two'); log.fatal({}, 'three'); process.exit(3);`;
    expect(await run(format, program)).toMatchObject({ ended: 3, said: '' });
  });
});

describe('npm start with a log that cannot be written', () => {
  it('starts, answers every call, and stops', async () => {
    const surroundings = await newSurroundings();
    const tool = start(surroundings, { LOG_LEVEL: 'debug' }, full);
    try {
      const client = new StartClient(surroundings);
      await until('the service to answer', () => client.isUp(), 50_000);
      const { children } = processesOf(surroundings);
      for (let call = 0; call < CALLS; call++) await client.issueInvoice();
      expect(await client.documentCount()).toBe(CALLS);
      // The same processes, so none was restarted.
      expect(processesOf(surroundings).children).toEqual(children);
      tool.pressCtrlC();
      expect(await tool.exited).toBe(0);
    } finally {
      await cleanUp(surroundings, [tool]);
    }
  });
});
