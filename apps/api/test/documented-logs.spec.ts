import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

const ROOT = path.resolve(__dirname, '../../..');

const production = ['apps', 'libs'].flatMap((folder) =>
  readdirSync(path.join(ROOT, folder))
    .filter((project) => project !== 'test-harness')
    .flatMap((project) => {
      const src = path.join(ROOT, folder, project, 'src');
      return readdirSync(src, { recursive: true, encoding: 'utf8' })
        .filter((file) => file.endsWith('.ts') && !file.endsWith('.spec.ts') && !/(^|\/)testing\//.test(file))
        .map((file) => readFileSync(path.join(src, file), 'utf8'));
    }),
);

/** The messages of warnings and errors in the code. A message has a blank, unlike the names of fields. */
function logged(): string[] {
  const calls = production.flatMap((text) => [
    ...text.matchAll(/\blog\s*\.(?:warn|error|fatal)\((.*?)\);?\n/gs),
  ]);
  return calls.flatMap(([, fields = '']) =>
    [...fields.matchAll(/'([^'\n]*)'|"([^"\n]*)"/g)]
      .map(([, single, double]) => single ?? double ?? '')
      .filter((message) => message.includes(' ')),
  );
}

/** The messages in the table of docs/operations.md. */
function documented(): string[] {
  const page = readFileSync(path.join(ROOT, 'docs/operations.md'), 'utf8');
  const from = page.indexOf('\n## Logs\n');
  const section = page.slice(from, page.indexOf('\n## ', from + 1));
  return [...section.matchAll(/^\| `([^`]+)`/gm)].map(([, message = '']) => message).slice(1);
}

describe('the table of logs in docs/operations.md', () => {
  it('lists every warning and error that the service logs', () => {
    expect(logged().length).toBeGreaterThan(20);
    expect(logged().filter((message) => !documented().includes(message))).toEqual([]);
  });

  it('lists only messages of the code', () => {
    expect(documented().length).toBeGreaterThan(20);
    const isLogged = (message: string) => production.some((text) => text.includes(message));
    expect(documented().filter((message) => !isLogged(message))).toEqual([]);
  });
});
