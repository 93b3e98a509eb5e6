import {
  DocumentServer,
  inParallel,
  queueStores,
  startProcesses,
  type TestService,
} from '@counterfoil/test-harness';
import { FORBIDDEN_HOSTS, MISLEADING_URLS, setTrap, type Trap } from './forbidden-hosts';
import { type Extraction, fresh } from './samples';

/**
 * Tests that no spelling of a forbidden address, and no redirect to one, makes `extract-from-url` connect to
 * it. Besides webhooks it is the only feature that connects to addresses chosen by customers.
 */

/** Requests of one company that are read at a time. */
const AT_A_TIME = 8;

let service: TestService;
let documents: DocumentServer;
let trap: Trap;

beforeAll(async () => {
  documents = await DocumentServer.start();
  trap = await setTrap();
  const proxy = `http://127.0.0.1:${trap.port}`;
  service = await startProcesses(queueStores()[0]!, {
    OUTBOUND_ALLOWED_CIDRS: `127.0.0.1/32:${documents.port}`,
    ...{
      HTTP_PROXY: proxy,
      http_proxy: proxy,
      HTTPS_PROXY: proxy,
      ALL_PROXY: proxy,
      NODE_USE_ENV_PROXY: '1',
    },
  });
});

afterAll(async () => {
  await service?.stop();
  await documents?.close();
  await trap?.close();
});

afterEach(() => {
  expect(trap.takeCaught()).toBe(0);
});

interface Told {
  readonly url: string;
  readonly status: number;
  readonly code: string | undefined;
}

async function extractFrom(url: string): Promise<Told> {
  const query = new URLSearchParams({ url, filename: 'a.txt' }).toString();
  const { status, body } = await service.request<Extraction>('GET', `/expenses/extract-from-url?${query}`);
  return { url, status, code: body.code };
}

/** Includes http, which `extract-from-url` allows and webhooks do not. */
const spellings = (): string[] => [
  ...['http', 'https'].flatMap((scheme) =>
    FORBIDDEN_HOSTS.map((host) => `${scheme}://${host}:${trap.port}/receipt.txt`),
  ),
  ...MISLEADING_URLS(trap.port),
];

describe('a forbidden address in any spelling is not fetched', () => {
  it('directly', async () => {
    const told = await inParallel(spellings(), AT_A_TIME, extractFrom);
    expect(told).toEqual(spellings().map((url) => ({ url, status: 400, code: 'URL_NOT_ALLOWED' })));
    expect(told.length).toBeGreaterThan(200);
  });

  it('through a redirect', async () => {
    // A header cannot contain line breaks or characters beyond Latin-1.
    const locations = spellings().filter((url) => /^[\x20-\x7e]+$/.test(url.trim()));
    const told = await inParallel(locations, AT_A_TIME, async (location, number) => ({
      ...(await extractFrom(documents.redirect(`/astray/${number}`, location))),
      url: location,
    }));
    // A location without a host is relative to the current server (RFC 3986).
    const relative = locations.filter((location) => leadsBack(location));
    expect(relative.length).toBeLessThan(5);
    const away = told.filter(({ url }) => !relative.includes(url));
    expect(away).toEqual(away.map(({ url }) => ({ url, status: 400, code: 'URL_NOT_ALLOWED' })));
    expect(away.length).toBeGreaterThan(150);
  });

  const leadsBack = (location: string): boolean => {
    const { port } = documents;
    return URL.parse(location, `http://127.0.0.1:${port}/`)?.port === `${port}`;
  };

  it('through a redirect after allowed ones', async () => {
    const last = documents.redirect('/last', `http://127.0.0.2:${trap.port}/receipt.txt`);
    const first = documents.redirect('/first', last);
    expect(await extractFrom(first)).toMatchObject({ status: 400, code: 'URL_NOT_ALLOWED' });
  });
});

describe('an allowed address', () => {
  it('is fetched directly, ignoring any proxy', async () => {
    const url = documents.serve('/good', fresh());
    expect(await extractFrom(url)).toMatchObject({ status: 200 });
  });

  it.each(['refresh', 'alt-svc', 'link', 'content-location'])(
    'is not replaced by another header: %s',
    async (name) => {
      const to = `http://127.0.0.1:${trap.port}/`;
      const value = { refresh: `0; url=${to}`, 'alt-svc': `h2="127.0.0.1:${trap.port}"`, link: `<${to}>` };
      const url = documents.serve(`/leads/${name}`, fresh(), {
        [name]: value[name as keyof typeof value] ?? to,
      });
      expect(await extractFrom(url)).toMatchObject({ status: 200 });
    },
  );

  it('is not replaced by the content of the document', async () => {
    const to = `http://127.0.0.1:${trap.port}`;
    const html = `<html><head><base href="${to}"><meta http-equiv="refresh" content="0;url=${to}">
      <link rel="stylesheet" href="${to}/a.css"></head><body><img src="${to}/a.png"><iframe src="${to}"></iframe>
      <object data="${to}/a"></object><script src="${to}/a.js"></script><p>Total EUR 12.00</p></body></html>`;
    const xml = `<?xml version="1.0"?><!DOCTYPE a SYSTEM "${to}/a.dtd" [<!ENTITY b SYSTEM "${to}/b">]><a>&b;</a>`;
    const svg = `<svg xmlns="http://www.w3.org/2000/svg" xmlns:x="http://www.w3.org/1999/xlink"><image x:href="${to}"/></svg>`;
    for (const [name, content] of Object.entries({
      'a.html': html,
      'b.xml': xml,
      'c.html': svg,
      'd.txt': svg,
    })) {
      const url = documents.serve(`/${name}`, content);
      const query = new URLSearchParams({ url, filename: name }).toString();
      const { status } = await service.request('GET', `/expenses/extract-from-url?${query}`);
      expect({ name, answered: status === 200 || status === 422 }).toEqual({ name, answered: true });
    }
  });
});
