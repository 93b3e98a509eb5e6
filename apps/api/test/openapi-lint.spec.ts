import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { planted } from './planted-lint';

/** Tests `npm run openapi:lint` with a small description: as it is, and with an error for each of the two linters. */

const ROOT = path.resolve(__dirname, '../../..');
const PROGRAM = path.join(ROOT, 'tools/lint-openapi.mjs');

let folder: string;

beforeAll(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'openapi-lint-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

function lint(description: object): Promise<{ code: number | null; text: string }> {
  const file = path.join(folder, 'openapi.json');
  writeFileSync(file, JSON.stringify(description));
  return new Promise((resolve) => {
    const child = execFile(process.execPath, [PROGRAM, file], (_error, stdout, stderr) =>
      resolve({ code: child.exitCode, text: stdout + stderr }),
    );
  });
}

it('accepts a description without problems', async () => {
  const { code, text } = await lint(planted());
  expect({ code, text }).toMatchObject({ code: 0, text: expect.stringContaining('find nothing') as string });
}, 120_000);

it('refuses what either linter finds, and names the rule and the place', async () => {
  const { code, text } = await lint(
    planted((operation) => {
      operation['summary'] = undefined;
      operation['description'] = undefined;
      operation['responses'] = { '200': { description: 'The note.' } };
    }),
  );
  expect(code).toBe(1);
  expect(text).toMatch(/spectral operation-description at paths\./);
  expect(text).toMatch(/redocly operation-4xx-response at #\/paths\//);
}, 120_000);
