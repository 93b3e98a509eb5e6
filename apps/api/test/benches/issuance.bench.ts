import { randomUUID } from 'node:crypto';
import { Figures, median, queueStores, startService } from '@counterfoil/test-harness';
import { closeConnections } from '../http-exchange';
import { type Company, newCompany } from '../trials/company';
import { IssuanceVariants, type Variant } from './issuance-variants';
import { callsPerSecond } from './pace';

const COMPANIES = 50;
const CALLERS = 20;
const VARIANTS: readonly Variant[] = ['bare', 'issue', 'issueWithKey', 'replay'];
const ROUNDS = 9;
const SLICE_MS = 1_000;
const HTTP_COMPANIES = 10;

const figures = new Figures();

/** Slices of every variant in turn, each round in another order; the rounds' rates by variant, the first left out. */
async function slices<Name extends string>(
  names: readonly Name[],
  call: (name: Name) => Promise<unknown>,
): Promise<(name: Name) => number[]> {
  const rates = new Map<Name, number[]>(names.map((name) => [name, []]));
  for (let round = 0; round <= ROUNDS; round++) {
    for (let turn = 0; turn < names.length; turn++) {
      const name = names[(round + turn) % names.length];
      if (name === undefined) continue;
      const rate = await callsPerSecond(SLICE_MS, CALLERS, () => call(name));
      if (round > 0) rates.get(name)?.push(rate);
    }
  }
  return (name) => rates.get(name) ?? [];
}

/** The median of what the rounds give, each round by itself. */
function ofRounds(
  [first, second]: readonly [readonly number[], readonly number[]],
  figure: (first: number, second: number) => number,
): number {
  return median(first.map((rate, round) => figure(rate, second[round] ?? NaN)));
}

const times = (one: number, other: number) => one / other;

it('costs little more than writing the rows, and a replay much less', async () => {
  figures.heading(`issuing in process: ${COMPANIES} companies, ${CALLERS} callers, calls a second`);
  const variants = await IssuanceVariants.start(COMPANIES);
  try {
    // Each variant's first slice is not counted; a replay needs a key before it.
    await callsPerSecond(SLICE_MS, CALLERS, () => variants.call('issueWithKey'));
    const rates = await slices(VARIANTS, (name) => variants.call(name));
    const [bare, issue, withKey, replay] = [
      rates('bare'),
      rates('issue'),
      rates('issueWithKey'),
      rates('replay'),
    ];
    figures.add('bare insert of the same rows', median(bare), ' /s');
    figures.add('issue without a key', median(issue), ' /s');
    figures.add('issue with a key', median(withKey), ' /s');
    figures.add('replay', median(replay), ' /s');
    figures.add('issue with a key against the bare insert', ofRounds([withKey, bare], times), ' x', {
      atLeast: 0.2,
    });
    const cost = ofRounds([issue, withKey], (without, having) => (without / having - 1) * 100);
    figures.add("the key's own cost", cost, ' %', { atMost: 15 });
    figures.add('replay against an issue', ofRounds([replay, withKey], times), ' x', { atLeast: 4 });
  } finally {
    await variants.close();
  }
  expect(figures.broken).toEqual([]);
});

it('issues for one company alone', async () => {
  const variants = await IssuanceVariants.start(1);
  try {
    const rates = await slices(['issueWithKey'], (name) => variants.call(name));
    figures.add('issue with a key, one company', median(rates('issueWithKey')), ' /s');
  } finally {
    await variants.close();
  }
});

it('is the same over HTTP', async () => {
  figures.heading(`issuing over HTTP: ${HTTP_COMPANIES} companies, ${CALLERS} callers, calls a second`);
  const service = await startService(queueStores()[0]!, { LOG_LEVEL: 'silent' });
  try {
    const companies: Company[] = [];
    for (let count = 0; count < HTTP_COMPANIES; count++)
      companies.push(await newCompany(service, [service.url]));
    let turn = 0;
    const post = (key: string | null) => {
      const company = companies[turn++ % companies.length]!;
      const items = [{ description: 'Consulting', quantity: 1, unitPrice: 100 }];
      const headers = key === null ? {} : { 'idempotency-key': key };
      return company.post('/documents/create/tax-invoice', { entityId: company.entityId, items }, headers);
    };
    const calls = {
      issue: () => post(null),
      issueWithKey: () => post(randomUUID()),
      replay: () => post('one'),
    };
    const rates = await slices(['issue', 'issueWithKey', 'replay'], (name) => calls[name]());
    figures.add('issue without a key', median(rates('issue')), ' /s');
    figures.add('issue with a key', median(rates('issueWithKey')), ' /s');
    figures.add('replay', median(rates('replay')), ' /s');
  } finally {
    closeConnections();
    await service.stop();
  }
});
