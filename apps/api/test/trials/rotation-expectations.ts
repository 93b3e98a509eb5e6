import type { AdminOutcome } from '@counterfoil/test-harness';
import type { RotationReport } from './rotation-run';

const OPEN = { cursor: 200, link: 200, stream: 'verified', charge: 'SUCCEEDED' };

/** The outcome of every rotation, however long it takes. */
export function expectRotated({ runs, ...report }: RotationReport): void {
  expect(report).toMatchObject({ unverifiable: 0, lost: 0, unmoved: [] });
  expect(report.before).toEqual({
    'key added': OPEN,
    'key first': OPEN,
    're-encrypted': OPEN,
    'old key removed': {
      cursor: 'INVALID_CURSOR',
      link: 403,
      stream: 'INVALID_CURSOR',
      charge: 'SUCCEEDED',
      cursorRenewed: 200,
      linkRenewed: 200,
    },
  });
  const [interrupted, ...others] = runs;
  expect(interrupted).toMatchObject({ code: null, output: '' });
  for (const run of others) {
    expect({ code: run.code, ...resultOf(run) }).toMatchObject({
      code: 0,
      key: 'next',
      remaining: 0,
      unreadable: [],
      removable: ['former'],
    });
    expect(run.errors).toMatch(/^webhook endpoints: \d+ read \(pass 1\), \d+ encrypted again$/m);
  }
  expect(resultOf(others.at(-1)).reencrypted).toBe(0);
}

export function resultOf(run: AdminOutcome | undefined): {
  readonly reencrypted: number;
  readonly rows: number;
} {
  return JSON.parse(run?.output ?? '') as { reencrypted: number; rows: number };
}
