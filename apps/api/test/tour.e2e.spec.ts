import fs from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { cleanUp, newSurroundings, start, type Surroundings, Tool } from './start-service';

const PAGE = fs.readFileSync(path.resolve(__dirname, '../../../docs/tour.md'), 'utf8');
const STEPS_LIMIT_MS = 240_000;
/** Printed before each step, and in no answer. */
const MARK = '\x1e';

interface Step {
  readonly name: string;
  readonly commands: string;
  readonly answer: string;
}

/** The only code block of a language in a part of the page. */
function block(part: string, language: string): string {
  const blocks = [...part.matchAll(/^```(\w+)\n(.*?)^```$/gms)].filter(([, name]) => name === language);
  expect({ part, blocks: blocks.length }).toEqual({ part, blocks: 1 });
  return blocks[0]![2]!;
}

const [introduction = '', ...parts] = PAGE.split(/^### (?=\d+\. )/m);
const steps: Step[] = parts.map((part) => {
  const [own = ''] = part.split(/^## /m);
  return { name: own.split('\n', 1)[0]!, commands: block(own, 'sh'), answer: block(own, 'text') };
});

/** Matches an answer as the page shows it, where `…` stands for any text. */
function shown(answer: string): RegExp {
  const lines = answer.trim().split('\n');
  return new RegExp(lines.map((line) => line.split('…').map(escaped).join('[^]*?')).join('[^]*?'));
}

const escaped = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');

let surroundings: Surroundings;
let listener: Tool;
const tools: Tool[] = [];
/** The output of each step, in their order. */
let outputs: string[];

beforeAll(async () => {
  surroundings = await newSurroundings();
  // The photo must be read in time even if the machine is busy.
  const service = start(surroundings, { EXTRACTION_TIMEOUT: '2m' });
  tools.push(service);
  await service.prints('Ready in');
  listener = new Tool([process.execPath, 'tools/counterfoil.mjs', 'listen'], surroundings.env);
  tools.push(listener);
  await listener.prints('signing secret');
  const script = [
    'exec 2>&1',
    block(introduction, 'sh'),
    ...steps.map(({ commands }) => `printf '${MARK}'\n${commands}`),
  ];
  const shell = new Tool(['sh', '-euc', script.join('\n')], surroundings.env);
  tools.push(shell);
  expect({ code: await shell.exited, output: shell.stdout }).toMatchObject({ code: 0 });
  outputs = shell.stdout.split(MARK).slice(1);
}, STEPS_LIMIT_MS);

afterAll(() => cleanUp(surroundings, tools));

describe('the tour, pasted as it is printed', () => {
  it('has its steps in order', () => {
    expect(steps.map(({ name }) => Number.parseInt(name))).toEqual(steps.map((_, at) => at + 1));
    expect(steps.length).toBe(29);
  });

  it.each(steps.map(({ name, answer }, at) => ({ name, answer, at })))('$name', ({ answer, at }) => {
    expect(outputs[at]).toMatch(shown(answer));
  });

  it('makes the listener print the events that the page shows', async () => {
    const lines = [...PAGE.matchAll(/^[\d:]{8} {2}(\S+) +evt_\w+ {2}(.*) {2}signature ok$/gm)];
    expect(lines.length).toBeGreaterThan(2);
    for (const [, type = '', text = ''] of lines) {
      await listener.prints(text);
      expect(listener.stdout).toMatch(
        new RegExp(`${escaped(type)} +evt_\\w+  ${escaped(text)}  signature ok`),
      );
    }
  });
});
