import { roleMay } from '@counterfoil/kernel';
import { DEMO_KEY, startApiService, type TestService } from '@counterfoil/test-harness';
import { API_ROUTES, type ApiRoute, examplePath } from './api-routes';
import { expectError } from './error-body';
import { exchange, exchangeBytes } from './http-exchange';

const BODY_ROUTES = API_ROUTES.filter(({ method, needs }) => needs !== null && /POST|PUT/.test(method));
/** Large enough that a route would not read it by accident. It is sent only if a test says so. */
const PIECE_BYTES = 65_536;
const PIECES = 14;
const LENGTH = PIECES * PIECE_BYTES;

let service: TestService;

beforeAll(async () => {
  service = await startApiService();
});

afterAll(async () => {
  await service.stop();
});

/** Returns the head of a request whose announced body is not sent. */
function headOf({ method, path }: ApiRoute, key: string | null): string {
  const type = path === '/files/upload' ? 'multipart/form-data; boundary=x' : 'application/json';
  const authorization = key === null ? '' : `Authorization: Bearer ${key}\r\n`;
  return (
    `${method} ${examplePath(path)} HTTP/1.1\r\nHost: a\r\n${authorization}` +
    `Content-Type: ${type}\r\nContent-Length: ${LENGTH}\r\n\r\n`
  );
}

describe('a request is refused before its body is read', () => {
  it.each(BODY_ROUTES)('$method $path without a key', async (route) => {
    const answer = await exchangeBytes(service.url, [headOf(route, null)]);
    expectError(answer, { status: 401, code: 'UNAUTHENTICATED' });
  });

  it.each(BODY_ROUTES)('$method $path with an unknown key', async (route) => {
    const answer = await exchangeBytes(service.url, [headOf(route, 'sk_live_unknown')]);
    expectError(answer, { status: 401, code: 'UNAUTHENTICATED' });
  });

  it.each(BODY_ROUTES.filter(({ needs }) => needs !== null && !roleMay('viewer', needs)))(
    '$method $path for a viewer',
    async (route) => {
      const answer = await exchangeBytes(service.url, [headOf(route, await viewerKey())]);
      expectError(answer, { status: 403, code: 'FORBIDDEN' });
    },
  );

  it('and the response reaches a caller that reads only after sending everything', async () => {
    const pieces = Array.from({ length: PIECES }, () => Buffer.alloc(PIECE_BYTES, ' '));
    const head = headOf({ method: 'POST', path: '/clients/create', needs: 'write' }, null);
    expectError(await exchangeBytes(service.url, [head, ...pieces], { pauseMs: 2 }), {
      status: 401,
      code: 'UNAUTHENTICATED',
    });
  });
});

let viewer: string | undefined;

async function viewerKey(): Promise<string> {
  if (viewer === undefined) {
    const { text } = await exchange(service.url, {
      method: 'POST',
      path: '/api-keys',
      headers: { authorization: `Bearer ${DEMO_KEY}` },
      body: JSON.stringify({ role: 'viewer', userName: 'Viewer' }),
    });
    viewer = (JSON.parse(text) as { readonly key: string }).key;
  }
  return viewer;
}
