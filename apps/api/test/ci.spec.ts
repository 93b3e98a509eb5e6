import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';

const ROOT = path.resolve(__dirname, '../../..');

/** A fake npm: the tests pass, and all checks except one. */
const NPM = `#!/bin/sh
if [ "$*" = test ]; then
  echo 'queue stores covered: redis, postgresql'
  echo '7 passed, 0 failed'
fi
[ "$*" != "run -s $FAILING" ]
`;

let bin: string;

beforeAll(() => {
  bin = fs.mkdtempSync(path.join(os.tmpdir(), 'counterfoil-ci-'));
  fs.writeFileSync(path.join(bin, 'npm'), NPM, { mode: 0o755 });
});
afterAll(() => fs.rmSync(bin, { recursive: true, force: true }));

function run(failing: string): number | null {
  const env = { ...process.env, PATH: `${bin}:${process.env['PATH']}`, FAILING: failing };
  return spawnSync(path.join(ROOT, '.ci/run'), { env }).status;
}

describe('what CI runs', () => {
  it('succeeds if every check does', () => {
    expect(run('nothing')).toBe(0);
  });

  const CHECKS = ['format', 'lint', 'types', 'openapi:lint', 'compat', 'licences', 'audit'];
  it.each(CHECKS)('fails with %s', (check) => {
    expect(run(check)).not.toBe(0);
  });

  it('includes every part of npm run check, whose tests npm test includes', () => {
    const text = fs.readFileSync(path.join(ROOT, 'package.json'), 'utf8');
    const { scripts } = JSON.parse(text) as { scripts: Record<string, string> };
    const checked = [...scripts['check']!.matchAll(/npm run -s ([\w:]+)/g)].map(([, name]) => name);
    const tested = ['sql', 'unit'];
    expect(checked.filter((name) => !tested.includes(name!))).toEqual(CHECKS);
    expect(checked).toEqual(expect.arrayContaining(tested));
  });
});
