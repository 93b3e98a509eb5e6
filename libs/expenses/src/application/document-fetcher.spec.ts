import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { ReadFile } from '@counterfoil/files';
import { NodeOutboundHttp } from '@counterfoil/outbound-http';
import { DocumentFetcher } from './document-fetcher';

const LOOKUP_MS = 100;
const REFUSED = {
  code: 'FETCH_FAILED',
  message: 'the url could not be fetched: the host name does not resolve to an address that may be reached',
};
/** No file is read in these tests. */
const FILES = Object.create(ReadFile.prototype) as ReadFile;

describe('a document behind a host name', () => {
  let redirecting: Server;
  let location: string;
  const http = new NodeOutboundHttp({
    allowedNetworks: [{ cidr: '127.0.0.1/32', port: null }],
    nameLookupMs: LOOKUP_MS,
    resolve: (name) =>
      name === 'inside.example' ? Promise.resolve(['10.0.0.5']) : Promise.reject(new Error('ENOTFOUND')),
  });
  const documents = new DocumentFetcher(FILES, http);

  beforeAll(async () => {
    redirecting = createServer((_, response) => void response.writeHead(302, { location }).end());
    await new Promise<void>((resolve) => redirecting.listen(0, '127.0.0.1', resolve));
  });
  afterAll(() => http.close());
  afterAll(() => new Promise((resolve) => redirecting.close(resolve)));

  const start = () => `http://127.0.0.1:${(redirecting.address() as AddressInfo).port}/`;

  it.each([
    ['asked for', (url: string) => url],
    ['redirected to', (url: string) => ((location = url), start())],
  ])('with a forbidden address is reported like one that does not exist when it is %s', async (_, urlOf) => {
    for (const name of ['inside.example', 'none.example']) {
      const started = performance.now();
      const fetched = await documents.fetch({ companyId: 1, of: { url: urlOf(`https://${name}/a.pdf`) } });
      expect(fetched).toMatchObject({ failure: REFUSED });
      const tookMs = performance.now() - started;
      expect(tookMs).toBeGreaterThanOrEqual(LOOKUP_MS - 1);
    }
  });

  it.each(['localhost', 'db.internal', '10.0.0.5'])(
    'that is local by its text is refused: %s',
    async (host) => {
      const of = { url: `https://${host}/a.pdf` };
      expect(await documents.fetch({ companyId: 1, of })).toMatchObject({
        failure: { code: 'URL_NOT_ALLOWED' },
      });
    },
  );
});
