import { readFileSync } from 'node:fs';
import path from 'node:path';
import { ROOT, sourceFiles } from './projects';

const production = sourceFiles()
  .filter((file) => !/\/(test-harness|testing)\//.test(file))
  .map((file) => readFileSync(file, 'utf8'));

/** Warnings whose message is put together: the table has the beginning of it. */
const COMPOSED = ['log.warn(fields, `${NOTE}: none. ${risk}`)'];

/** The calls that log warnings and errors, each with its arguments. */
function logCalls(): string[] {
  return production.flatMap((text) =>
    [...text.matchAll(/\blog\s*\.(?:warn|error|fatal)\(/g)].map(({ index }) => callAt(text, index)),
  );
}

/** A call up to its closing parenthesis. No message has an unbalanced one. */
function callAt(text: string, start: number): string {
  let depth = 0;
  for (let at = text.indexOf('(', start); at < text.length; at++) {
    if (text[at] === '(') depth += 1;
    if (text[at] === ')') depth -= 1;
    if (depth === 0) return text.slice(start, at + 1);
  }
  throw new Error(`unbalanced: ${text.slice(start, start + 80)}`);
}

/** The message of a call. It has a blank, unlike the names of fields. */
const messageIn = (call: string): string | undefined =>
  [...call.matchAll(/'([^'\n]*)'|"([^"\n]*)"/g)]
    .map(([, single, double]) => single ?? double ?? '')
    .find((message) => message.includes(' '));

/** The messages in the table of docs/operations.md. */
function documented(): string[] {
  const page = readFileSync(path.join(ROOT, 'docs/operations.md'), 'utf8');
  const from = page.indexOf('\n## Logs\n');
  const section = page.slice(from, page.indexOf('\n## ', from + 1));
  return [...section.matchAll(/^\| `([^`]+)`/gm)].map(([, message = '']) => message).slice(1);
}

describe('the table of logs in docs/operations.md', () => {
  it('lists every warning and error that the service logs', () => {
    const calls = logCalls().filter((call) => !COMPOSED.includes(call));
    expect(calls.length).toBeGreaterThan(30);
    expect(calls.filter((call) => messageIn(call) === undefined)).toEqual([]);
    expect(calls.map(messageIn).filter((message) => !documented().includes(message ?? ''))).toEqual([]);
  });

  it('lists only messages of the code', () => {
    expect(documented().length).toBeGreaterThan(20);
    const isLogged = (message: string) => production.some((text) => text.includes(message));
    expect(documented().filter((message) => !isLogged(message))).toEqual([]);
  });
});
