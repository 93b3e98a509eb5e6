import { randomUUID } from 'node:crypto';
import {
  callsPerSecond,
  Figures,
  median,
  ofRounds,
  queueStores,
  ratesInTurn,
  startService,
} from '@counterfoil/test-harness';
import { closeConnections } from '../http-exchange';
import { type Company, newCompany } from '../trials/company';
import { IssuanceVariants, type Variant } from './issuance-variants';

const COMPANIES = 50;
const CALLERS = 20;
const VARIANTS: readonly Variant[] = ['bare', 'issue', 'issueWithKey', 'replay'];
const SLICE_MS = 1_000;
const SLICES = { rounds: 9, sliceMs: SLICE_MS, callers: CALLERS };
const HTTP_COMPANIES = 10;

const figures = new Figures();

it('costs little more than writing the rows, and a replay much less', async () => {
  figures.heading(`issuing in process: ${COMPANIES} companies, ${CALLERS} callers, calls a second`);
  const variants = await IssuanceVariants.start(COMPANIES);
  try {
    // The first slice of each variant is a warm-up. A replay needs an existing key.
    await callsPerSecond(SLICE_MS, CALLERS, () => variants.call('issueWithKey'));
    const rates = await ratesInTurn(VARIANTS, SLICES, (name) => variants.call(name));
    const { bare, issue, issueWithKey: withKey, replay } = rates;
    figures.add('bare insert of the same rows', median(bare), ' /s');
    figures.add('issue without a key', median(issue), ' /s');
    figures.add('issue with a key', median(withKey), ' /s');
    figures.add('replay', median(replay), ' /s');
    figures.add('issue with a key against the bare insert', ofRounds(withKey, bare), ' x', {
      atLeast: 0.2,
    });
    const cost = ofRounds(issue, withKey, (without, having) => (without / having - 1) * 100);
    figures.add("the key's own cost", cost, ' %', { atMost: 15 });
    figures.add('replay against an issue', ofRounds(replay, withKey), ' x', { atLeast: 4 });
  } finally {
    await variants.close();
  }
  expect(figures.broken).toEqual([]);
});

it('issues for a single company', async () => {
  const variants = await IssuanceVariants.start(1);
  try {
    const rates = await ratesInTurn(['issueWithKey'], SLICES, (name) => variants.call(name));
    figures.add('issue with a key, one company', median(rates.issueWithKey), ' /s');
  } finally {
    await variants.close();
  }
});

it('has similar figures over HTTP', async () => {
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
    const rates = await ratesInTurn(['issue', 'issueWithKey', 'replay'], SLICES, (name) => calls[name]());
    figures.add('issue without a key', median(rates.issue), ' /s');
    figures.add('issue with a key', median(rates.issueWithKey), ' /s');
    figures.add('replay', median(rates.replay), ' /s');
  } finally {
    closeConnections();
    await service.stop();
  }
});
