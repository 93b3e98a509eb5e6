import { CounterfoilError } from '@counterfoil/sdk';
import { rowKey } from './row-key';
import { type Outcome, sendRows } from './send-rows';

const ROWS = Array.from({ length: 20 }, (_, index) => index);
const refusal = (code: string) => new CounterfoilError(code, 'refused', { status: 400 });

async function sentWith(send: (row: number) => Promise<string>, signal = new AbortController().signal) {
  const outcomes: Outcome<number, string>[] = [];
  const ending = await sendRows(ROWS, { send, onOutcome: (one) => void outcomes.push(one), signal }).then(
    () => undefined,
    (error: unknown) => error,
  );
  return { outcomes, ending };
}

describe('sending rows', () => {
  it('sends each once, some at a time, and continues behind a refused one', async () => {
    let [running, most] = [0, 0];
    const { outcomes, ending } = await sentWith(async (row) => {
      running += 1;
      most = Math.max(most, running);
      await new Promise(setImmediate);
      running -= 1;
      if (row === 7) throw refusal('VALIDATION_FAILED');
      return `created ${row}`;
    });
    expect(ending).toBeUndefined();
    expect(most).toBe(4);
    expect(outcomes.map(({ row }) => row).sort((one, other) => one - other)).toEqual(ROWS);
    expect(outcomes.filter((outcome) => 'refusal' in outcome).map(({ row }) => row)).toEqual([7]);
  });

  it.each(['FORBIDDEN', 'COMPANY_SUSPENDED', 'UNAUTHENTICATED', 'CONNECTION_FAILED', 'INTERNAL'])(
    'stops at %s',
    async (code) => {
      const { outcomes, ending } = await sentWith(async (row) => {
        if (row === 5) throw refusal(code);
        return 'created';
      });
      expect(ending).toMatchObject({ code });
      expect(outcomes.length).toBeLessThan(ROWS.length);
    },
  );

  it('stops when it is interrupted', async () => {
    const interruption = new AbortController();
    const { outcomes, ending } = await sentWith(async (row) => {
      if (row === 5) interruption.abort();
      return 'created';
    }, interruption.signal);
    expect(ending).toMatchObject({ name: 'AbortError' });
    expect(outcomes.length).toBeLessThan(ROWS.length);
  });
});

describe('the key of a row', () => {
  it('is that of its content, whatever the order of fields', () => {
    const key = rowKey('vendor', { name: 'א', contact: { email: 'a', firstName: 'b' } });
    expect(rowKey('vendor', { contact: { firstName: 'b', email: 'a' }, name: 'א' })).toBe(key);
    expect(rowKey('vendor', { name: 'א', contact: { email: 'a', firstName: 'c' } })).not.toBe(key);
    expect(rowKey('client', { name: 'א', contact: { email: 'a', firstName: 'b' } })).not.toBe(key);
    expect(key).toMatch(/^[\x21-\x7e]{1,255}$/);
  });
});
