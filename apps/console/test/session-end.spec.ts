import { fetchOf, isRefused } from '../src/app/session-end.ts';

const answering = (status: number, body: string): typeof fetch =>
  jest.fn(async () => new Response(body, { status }));

it('knows whose session was refused', async () => {
  const answer = await fetchOf(5, answering(401, '{"code":"UNAUTHENTICATED"}'))('/vendors');
  await fetchOf(6, answering(403, '{"code":"COMPANY_SUSPENDED"}'))('/vendors');
  expect([5, 6, 7].map(isRefused)).toEqual([true, true, false]);
  expect(await answer.json()).toEqual({ code: 'UNAUTHENTICATED' });
});

it.each([
  ['an answer', 200, '{"code":"UNAUTHENTICATED"}'],
  ['another refusal', 403, '{"code":"FORBIDDEN"}'],
  ['a proxy', 401, '<h1>Who are you?</h1>'],
  ['a proxy that sends JSON', 401, 'null'],
])('goes on after %s', async (_what, status, body) => {
  await fetchOf(8, answering(status, body))('/vendors');
  expect(isRefused(8)).toBe(false);
});
