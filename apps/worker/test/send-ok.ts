import type { TestService } from '@counterfoil/test-harness';

/** Sends a call that must succeed, and returns the body of its answer. */
export async function sendOk<T>(
  service: TestService,
  method: string,
  path: string,
  body?: object,
): Promise<T> {
  const answer = await service.request<T>(method, path, body);
  expect({ path, ...answer }).toMatchObject({ status: method === 'POST' ? 201 : 200 });
  return answer.body;
}
