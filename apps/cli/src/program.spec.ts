import type { Command } from 'commander';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { readEnvironment } from './environment';
import { buildProgram, runProgram } from './program';
import { VERSION } from './version';

const PACKAGE = path.resolve(__dirname, '../package.json');

function surroundings() {
  const written = { out: '', err: '' };
  return {
    written,
    environment: readEnvironment({ XDG_CONFIG_HOME: '/nowhere' }),
    stdin: process.stdin,
    stdout: { write: (text: string) => (written.out += text) },
    stderr: { write: (text: string) => (written.err += text) },
    signal: new AbortController().signal,
  };
}

const leavesOf = (command: Command): readonly Command[] =>
  command.commands.length === 0 ? [command] : command.commands.flatMap(leavesOf);
const nameOf = (command: Command): string =>
  command.parent ? `${nameOf(command.parent)} ${command.name()}` : command.name();

it('has the version of its package', () => {
  const { version } = JSON.parse(readFileSync(PACKAGE, 'utf8')) as { version: string };
  expect(VERSION).toBe(version);
});

describe('the help', () => {
  const names = leavesOf(buildProgram(surroundings()).program).map(nameOf);

  it.each(names)('of %s describes it, its options and arguments, and has examples', async (name) => {
    const around = surroundings();
    expect(await runProgram([...name.split(' ').slice(1), '--help'], around)).toBe(0);
    expect(around.written.err).toBe('');
    expect(around.written.out).toMatch(new RegExp(`\nExamples:\n(  .*\n)*  .*${name}`));
    const command = leavesOf(buildProgram(around).program).find((one) => nameOf(one) === name)!;
    expect(command.description()).toMatch(/^[a-z].+[^.]$/);
    for (const { description } of [...command.options, ...command.registeredArguments])
      expect(description).not.toBe('');
  });

  it.each(names)('of %s is also printed by the command help', async (name) => {
    const [helped, asked] = [surroundings(), surroundings()];
    const words = name.split(' ').slice(1);
    expect(await runProgram(['help', ...words], helped)).toBe(0);
    await runProgram([...words, '--help'], asked);
    expect(helped.written).toEqual(asked.written);
  });

  it('names a command that does not exist', async () => {
    const around = surroundings();
    expect(await runProgram(['help', 'documents', 'print'], around)).toBe(2);
    expect(around.written.err).toContain("unknown command 'print'");
  });

  it('is printed to standard error, with exit code 2, if the command is missing', async () => {
    const around = surroundings();
    expect(await runProgram([], around)).toBe(2);
    expect(around.written).toEqual({ out: '', err: expect.stringContaining('Commands:') });
  });
});
