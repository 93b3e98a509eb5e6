import {
  assertMayErase,
  assertMayResume,
  assertMaySuspend,
  type CompanyState,
  ERASABLE_AFTER_MS,
  statusOf,
} from './company-state';

const NOW = new Date('2026-11-26T12:00:00Z');
const LONG_AGO = new Date(NOW.getTime() - ERASABLE_AFTER_MS);
const NAME = `${'A long name '.repeat(6)}Ltd.`;

const company = (changes: Partial<CompanyState> = {}): CompanyState => ({
  ...{ id: 7, name: NAME, suspendedAt: null, erasureBeganAt: null, erasedAt: null, recordsKeptUntil: null },
  ...changes,
});
const ACTIVE = company();
const SUSPENDED = company({ suspendedAt: LONG_AGO });
const ERASING = company({ suspendedAt: LONG_AGO, erasureBeganAt: NOW });
const ERASED = company({ suspendedAt: LONG_AGO, erasureBeganAt: NOW, erasedAt: NOW });

it('a company is active, suspended, erasing or erased', () => {
  expect([ACTIVE, SUSPENDED, ERASING, ERASED].map(statusOf)).toEqual([
    ...['active', 'suspended', 'erasing', 'erased'],
  ]);
});

it('an active company may be suspended, and a suspended one resumed, once each', () => {
  expect(() => assertMaySuspend(ACTIVE)).not.toThrow();
  expect(() => assertMaySuspend(SUSPENDED)).toThrow('has been suspended since');
  expect(() => assertMayResume(SUSPENDED)).not.toThrow();
  expect(() => assertMayResume(ACTIVE)).toThrow('is not suspended');
  expect(() => assertMayResume(ERASING)).toThrow('the erasure of company 7 has begun');
  for (const check of [assertMaySuspend, assertMayResume])
    expect(() => check(ERASED)).toThrow('company 7 was erased at');
});

describe('an erasure', () => {
  const erase = (state: CompanyState, confirmed = NAME) => assertMayErase(state, confirmed, NOW);

  it('is allowed 31 minutes after the suspension, and again until it is complete', () => {
    expect(() => erase(SUSPENDED)).not.toThrow();
    expect(() => erase(ERASING)).not.toThrow();
    const early = company({ suspendedAt: new Date(LONG_AGO.getTime() + 1) });
    expect(() => erase(early)).toThrow('erase it after 2026-11-26T12:00:00.001Z');
    expect(() => erase(ACTIVE)).toThrow('suspend it first (company:suspend)');
    expect(() => erase(ERASED)).toThrow('was erased at');
  });

  it('requires the whole name, which the table of company:list may shorten', () => {
    expect(() => erase(SUSPENDED, NAME.slice(0, 31))).toThrow('exactly as company:list --json shows it');
  });
});
