import { AppError, type Transaction, Transactions } from '@counterfoil/kernel';
import { DocumentTransactions } from './document-transactions';

/** Transactions that end when the test releases them. */
class HeldTransactions extends Transactions {
  readonly open: (() => void)[] = [];

  override async run<T>(work: (tx: Transaction) => Promise<T>): Promise<T> {
    await new Promise<void>((end) => this.open.push(end));
    return work({} as Transaction);
  }

  override afterCommit(): void {}
}

const COMPANY = 1;
const PLACES = 4;

describe('the transactions of one company', () => {
  let held: HeldTransactions;
  let transactions: DocumentTransactions;
  const done: number[] = [];

  beforeEach(() => {
    jest.useFakeTimers();
    held = new HeldTransactions();
    transactions = new DocumentTransactions(held);
    done.length = 0;
  });
  afterEach(() => jest.useRealTimers());

  const run = (name: number, company = COMPANY) =>
    transactions.run(company, () => {
      done.push(name);
      return Promise.resolve(name);
    });
  const settle = () => jest.advanceTimersByTimeAsync(0);

  it('are limited in number, and the others follow in order', async () => {
    for (let name = 0; name < PLACES + 3; name++) void run(name);
    await settle();
    expect(held.open).toHaveLength(PLACES);
    expect(transactions.areFull(COMPANY)).toBe(true);
    while (done.length < PLACES + 3) {
      held.open.shift()?.();
      await settle();
    }
    expect(done).toEqual([0, 1, 2, 3, 4, 5, 6]);
    expect(transactions.areFull(COMPANY)).toBe(false);
  });

  it('do not delay those of another company', async () => {
    for (let name = 0; name < PLACES + 1; name++) void run(name);
    void run(100, 2);
    await settle();
    expect(held.open).toHaveLength(PLACES + 1);
  });

  it('release their slot when they fail', async () => {
    const failing = Array.from({ length: PLACES }, () =>
      transactions
        .run(COMPANY, () => Promise.reject(new Error('refused')))
        .catch((error: Error) => error.message),
    );
    const next = run(5);
    await settle();
    held.open.splice(0).forEach((end) => end());
    expect(await Promise.all(failing)).toEqual(Array.from({ length: PLACES }, () => 'refused'));
    await settle();
    held.open.shift()?.();
    expect(await next).toBe(5);
  });

  it('fail after 10 seconds without a slot, and do not run later', async () => {
    for (let name = 0; name < PLACES; name++) void run(name);
    const refused = run(5).catch((error: unknown) => error);
    await jest.advanceTimersByTimeAsync(9_999);
    const later = run(6);
    await jest.advanceTimersByTimeAsync(1);
    expect(await refused).toMatchObject({ code: 'UNAVAILABLE' });
    expect(await refused).toBeInstanceOf(AppError);
    held.open.shift()?.();
    await settle();
    held.open.at(-1)?.();
    expect(await later).toBe(6);
    expect(done).toEqual([0, 6]);
  });
});
