import fs from 'node:fs';
import path from 'node:path';
import { loadConfig } from './load-config';

const ROOT = path.resolve(__dirname, '../../..');
/**
 * The scripts and packages that users run from a checkout, and the code that reads the environment for them.
 */
const TOOLS = ['tools/lib/environment.mjs', 'tools/start.mjs', 'tools/admin.mjs'];
const READ_BY_TOOL = /\bread\('([A-Z0-9_]+)'\)|\bprocess\.env\.([A-Z0-9_]+)/g;
/** Matches a table row: | `NAME` | … */
const ROW = /^\| *`([A-Z0-9_]+)` *\|/gm;

/** Collects the names that `loadConfig` reads from its environment. */
function readByService(): string[] {
  const names = new Set<string>();
  const valid: Record<string, string> = { DATABASE_URL: 'postgres://db/x', SECRETS_KEY: 'k'.repeat(32) };
  loadConfig(
    new Proxy(valid, {
      get: (env, name) => {
        names.add(String(name));
        return env[String(name)];
      },
    }),
  );
  return [...names];
}

function readByTools(): string[] {
  const sources = TOOLS.map((file) => fs.readFileSync(path.join(ROOT, file), 'utf8'));
  return sources.flatMap((source) =>
    [...source.matchAll(READ_BY_TOOL)].map(([, read, env]) => read ?? env ?? ''),
  );
}

function documented(): string[] {
  const page = fs.readFileSync(path.join(ROOT, 'docs/configuration.md'), 'utf8');
  return [...page.matchAll(ROW)].map(([, name = '']) => name);
}

describe('the table of docs/configuration.md', () => {
  it('names every variable that the service and its tools read, and no other', () => {
    const read = new Set([...readByService(), ...readByTools()]);
    expect(documented().sort()).toEqual([...read].sort());
  });

  it('finds names in the service and in the tools, so that the comparison is not empty', () => {
    expect(readByService()).toEqual(expect.arrayContaining(['PORT', 'SECRETS_KEY', 'NODE_ENV']));
    expect(readByTools()).toEqual(expect.arrayContaining(['DATA_DIR']));
  });
});
