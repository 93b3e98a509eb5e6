import { sendOnce } from '../src/parts/send-once.ts';

const keyOf = ({ idempotencyKey }: { readonly idempotencyKey: string }) => Promise.resolve(idempotencyKey);

/** Sends, loses the answer, and returns the key. */
async function lose(send: ReturnType<typeof sendOnce>, content: unknown): Promise<string> {
  let key = '';
  const lost = send(content, (options) => {
    key = options.idempotencyKey;
    return Promise.reject(new Error('lost'));
  });
  await expect(lost).rejects.toThrow('lost');
  return key;
}

it('keeps the key of a call whose answer was lost', async () => {
  const send = sendOnce();
  const first = await lose(send, { amount: 10 });
  expect(await lose(send, { amount: 10 })).toBe(first);
  expect(await send({ amount: 10 }, keyOf)).toBe(first);
});

it('takes another key for another content, and for the same content after an answer', async () => {
  const send = sendOnce();
  const lost = await lose(send, { amount: 10 });
  const changed = await send({ amount: 11 }, keyOf);
  const again = await send({ amount: 11 }, keyOf);
  expect(new Set([lost, changed, again]).size).toBe(3);
});
