import { type AttackCall, hostileDocuments } from '@counterfoil/test-harness';
import { seedDocuments } from '../benches/million-documents';
import { END, MULTIPART, part, upload } from '../uploads';
import { asOwner, type Created, type HostileSite, jsonAs } from './hostile-site';

/** The address of all attackers. The other callers use 127.0.0.1. */
const FROM = '127.0.0.2';
const MIB = 1024 * 1024;
const STRANGER_KEY = 'sk_live_0000000000000000000000000000dead';

/** A prepared attack. It runs for the given time, and returns the outcomes of its calls. */
type Ready = (durationMs: number) => Promise<unknown>;
/** @param attacker the company that attacks, if the attack needs one; a new one by default */
export type Prepare = (site: HostileSite, attacker?: Created) => Promise<Ready>;

const at = ({ service }: HostileSite) => ({ url: service.url, from: FROM });

function headOf(path: string, length: number, more = ''): string {
  return `POST ${path} HTTP/1.1\r\nHost: a\r\n${more}Content-Type: application/json\r\nContent-Length: ${length}\r\n\r\n`;
}

/** Bodies of 1 MiB, without a key and with an unknown key. */
export const strangersBodies: Prepare = (site) => {
  const unknown = asOwner(STRANGER_KEY);
  const calls: AttackCall[] = [{}, unknown].flatMap((headers) =>
    ['/clients/create', '/documents/create/tax-invoice', '/gateway/sandbox/pages/x/pay'].map((path) => ({
      ...{ method: 'POST', path, bytes: MIB },
      headers: { ...headers, 'content-type': 'application/json' },
    })),
  );
  return Promise.resolve((durationMs) =>
    site.attackers.flood({ ...at(site), calls, callers: 50, perSecond: 60, durationMs }),
  );
};

/** Incomplete bodies, for routes with and without a key. */
export const strangersHalves: Prepare = (site) => {
  const texts = [headOf('/clients/create', MIB), headOf('/gateway/sandbox/pages/x/pay', MIB)];
  return Promise.resolve((durationMs) =>
    site.attackers.hold({ ...at(site), texts, bytes: 900 * 1024, connections: 1_500, durationMs }),
  );
};

/** API descriptions, which need no key. Some callers read the answers, others do not. */
export const strangersReading: Prepare = (site) => {
  const paths = ['/openapi.json', '/openapi.yaml', '/docs', '/docs/scalar.js'];
  const calls = paths.map((path) => ({ method: 'GET', path }));
  const texts = paths.map((path) => `GET ${path} HTTP/1.1\r\nHost: a\r\n\r\n`.repeat(20));
  return Promise.resolve(async (durationMs) => {
    const [unread, read] = await Promise.all([
      site.attackers.hold({ ...at(site), texts, reads: false, connections: 300, durationMs }),
      site.attackers.flood({ ...at(site), calls, callers: 50, perSecond: 200, durationMs }),
    ]);
    return { unread, read };
  });
};

/** Unknown keys, a different one for each call. */
export const strangersKeys: Prepare = (site) => {
  const calls = Array.from({ length: 10_000 }, (_, number) => ({
    ...{ method: 'GET', path: '/company' },
    headers: asOwner(`sk_live_${String(number).padStart(32, '0')}`),
  }));
  return Promise.resolve((durationMs) =>
    site.attackers.flood({ ...at(site), calls, callers: 50, perSecond: 300, durationMs }),
  );
};

const SEARCHED = 200_000;

/** 250 concurrent searches in the documents of a company that has many. */
export const searching: Prepare = async (site, attacker) => {
  const { ownerKey, companyId } = attacker ?? (await site.newCompany('Searching'));
  await seedDocuments(site.service.database, { companyId, count: SEARCHED });
  const calls = Array.from({ length: 50 }, (_, number) => ({
    ...{ method: 'GET', path: `/documents?search=zz${number}&limit=200` },
    headers: asOwner(ownerKey),
  }));
  return (durationMs) =>
    site.attackers.flood({ ...at(site), calls, callers: 250, perSecond: 500, durationMs });
};

async function client(
  site: HostileSite,
  { ownerKey: key }: Created,
): Promise<{ key: string; entityId: number }> {
  const asked = { name: 'Acme', taxId: '514000000', type: 'COMPANY' };
  const { clientId } = await site.ask<{ clientId: number }>('POST', '/clients/create', asked, key);
  return { key, entityId: clientId };
}

const ITEM = { description: 'Consulting', quantity: 3, unitPrice: 33.33, discountPercent: 12.5 };

/** Previews with 1,000 items, as JSON and as a page: far more than the service can compute in time. */
export const previewing: Prepare = async (site, attacker) => {
  const { key, entityId } = await client(site, attacker ?? (await site.newCompany('Previewing')));
  const items = Array.from({ length: 1_000 }, () => ITEM);
  const body = JSON.stringify({ type: 'TAX_INVOICE', entityId, items });
  const calls = ['', '/html'].map((rest) => ({
    ...{ method: 'POST', path: `/documents/preview${rest}`, headers: jsonAs(key) },
    body,
  }));
  return (durationMs) =>
    site.attackers.flood({ ...at(site), calls, callers: 40, perSecond: 150, durationMs });
};

const PRICELIST_ENTRIES = 10_000;

/** Pricelists of 5 MiB, and bodies that are expensive to refuse: unknown fields, lists and invalid JSON. */
export const sendingLargeBodies: Prepare = async (site, attacker) => {
  const { ownerKey: key, companyId } = attacker ?? (await site.newCompany('Sending'));
  const vendor = { name: 'Acme', taxId: '514000000', type: 'COMPANY' };
  const { visibleId } = await site.ask<{ visibleId: string }>('POST', '/vendors/create', vendor, key);
  const products = await site.service.database.query<{ id: number }>(
    `insert into products (visible_id, company_id, name, sku, is_active, created_at, updated_at)
     select gen_random_uuid(), $1, 'Product ' || n, 'sku-' || n, true, now(), now() from generate_series(1, $2) n
     returning id::int`,
    [companyId, PRICELIST_ENTRIES],
  );
  const tiers = Array.from({ length: 6 }, (_, number) => ({
    ...{ from: 10 * number + 1, to: 10 * number + 9.9999 },
    ...{ tierType: 'fixed', price: 12.3456 },
  }));
  const entries = products.map(({ id }) => ({ productId: id, pricingMode: 'tiers', priceTiers: tiers }));
  const pricelist = { method: 'PUT', path: `/vendors/id/${visibleId}/pricelist`, headers: jsonAs(key) };
  const odd = { method: 'POST', path: '/clients/create', headers: jsonAs(key) };
  const unknown = Object.fromEntries(
    Array.from({ length: 9_900 }, (_, number) => [`field${number}`, number]),
  );
  const calls: AttackCall[] = [
    { ...pricelist, body: JSON.stringify({ entries }) },
    { ...odd, body: JSON.stringify(unknown), chunked: true },
    { ...odd, body: `{"name":${'[0,'.repeat(3_000)}` },
    { ...odd, body: `{"name":"${'\\u00e9'.repeat(150_000)}","taxId":` },
  ];
  return (durationMs) => site.attackers.flood({ ...at(site), calls, callers: 40, perSecond: 60, durationMs });
};

/** 550 uploads that continue byte by byte, and as many complete ones as the service accepts. */
export const uploading: Prepare = async (site, attacker) => {
  const { ownerKey } = attacker ?? (await site.newCompany('Uploading'));
  const opening = part('form-data; name="file"; filename="a.txt"', '').subarray(0, -2).toString();
  const type = `Content-Type: ${MULTIPART}\r\n`;
  const slow =
    `POST /files/upload HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${ownerKey}\r\n${type}` +
    `Content-Length: ${MIB}\r\n\r\n${opening}`;
  const whole = Buffer.concat([part('form-data; name="file"; filename="a.txt"', 'x'.repeat(MIB)), END]);
  const headers = { ...asOwner(ownerKey), 'content-type': MULTIPART };
  const calls = [{ method: 'POST', path: '/files/upload', headers, body: whole.toString() }];
  return async (durationMs) => {
    const [held, sent] = await Promise.all([
      site.attackers.hold({
        ...{ ...at(site), texts: [slow], bytes: 64 * 1024, everyMs: 1_000, connections: 550, durationMs },
      }),
      site.attackers.flood({ ...at(site), calls, callers: 40, perSecond: 30, durationMs }),
    ]);
    return { slow: held, fast: sent };
  };
};

/** Documents with 20 items, 100 concurrently. */
export const issuing: Prepare = async (site, attacker) => {
  const { key, entityId } = await client(site, attacker ?? (await site.newCompany('Issuing')));
  const items = Array.from({ length: 20 }, () => ITEM);
  const calls = [
    {
      ...{ method: 'POST', path: '/documents/create/tax-invoice', headers: jsonAs(key) },
      body: JSON.stringify({ entityId, items }),
    },
  ];
  return (durationMs) =>
    site.attackers.flood({ ...at(site), calls, callers: 100, perSecond: 200, durationMs });
};

const HOSTILE_BYTES = 199_000;
const HOSTILE_NAMES = [
  ...['nested.xml', 'brackets.xml', 'wide.xml', 'one-line.txt'],
  ...['double-deflate-bomb.pdf', 'page-tree-loop.pdf', 'endless-form.pdf'],
];

/** Texts for which a careless regular expression or parser takes very long. All files differ. */
function hostileTexts(): string[] {
  const style = (number: number) =>
    `<html><!--${number}--><style>${'a'.repeat(HOSTILE_BYTES)}}</style><p>Total 1`;
  const depth = (number: number) => `<html><!--${number}-->${'<div>'.repeat(HOSTILE_BYTES / 5)}Total 1`;
  const hosts = (number: number) => `Receipt ${number}\n${'www.a-'.repeat(HOSTILE_BYTES / 6)}!\nTotal 1.00\n`;
  const digits = (number: number) => `Receipt ${number}\nTotal ${'1 234,'.repeat(HOSTILE_BYTES / 6)}x\n`;
  return [style, depth, hosts, digits, style, style].flatMap((make) =>
    Array.from({ length: 3 }, () => make(Math.random())),
  );
}

/** Returns the calls that extract the hostile documents of a company. */
async function hostileReadings({ service }: HostileSite, { ownerKey: key }: Created): Promise<AttackCall[]> {
  const calls: AttackCall[] = [];
  for (const make of [...hostileTexts(), ...HOSTILE_NAMES.map((kind) => hostileDocuments()[kind]!)]) {
    const content = typeof make === 'string' ? make : await make();
    const { id } = await upload(service.url, content, { key });
    calls.push({ method: 'GET', path: `/expenses/extract-from-file/${id}`, headers: asOwner(key) });
  }
  return calls;
}

/** Three companies, or the given one, extract hostile documents and disconnect before the answer. */
export const extracting: Prepare = async (site, attacker) => {
  const names = ['One', 'Two', 'Three'];
  const companies = attacker
    ? [attacker]
    : await Promise.all(names.map((name) => site.newCompany(`Extracting ${name}`)));
  const calls: AttackCall[] = [];
  for (const company of companies) calls.push(...(await hostileReadings(site, company)));
  return (durationMs) =>
    site.attackers.flood({
      ...{ ...at(site), calls, callers: 30, perSecond: 15, patienceMs: 2_000, durationMs },
    });
};

/** Deletes the attackers' requests that the service is still reading. */
export async function endExtracting({ service }: HostileSite): Promise<void> {
  await service.database.query('delete from reading_requests where outcome is null');
  await service.replaceWorker();
}

/** 600 connections request files of 20 MiB of three companies through their links, and read nothing. */
export const downloading: Prepare = async (site) => {
  const texts: string[] = [];
  for (const name of ['One', 'Two', 'Three']) {
    const { ownerKey } = await site.newCompany(`Downloading ${name}`);
    const { remoteUrl } = await upload(site.service.url, Buffer.alloc(20 * MIB, 'x'), { key: ownerKey });
    const { pathname, search } = new URL(remoteUrl);
    texts.push(`GET ${pathname}${search} HTTP/1.1\r\nHost: a\r\n\r\n`);
  }
  return (durationMs) =>
    site.attackers.hold({ ...at(site), texts, reads: false, connections: 600, durationMs });
};

const REPORTS = 300;
const PRICED = 1_000;

/** 20 callers read large answers: full pages, records with 1,000 items, pricelists and saved reports. */
export const reading: Prepare = async (site) => {
  const { ownerKey: key, companyId } = await site.newCompany('Reading');
  const { database } = site.service;
  await seedDocuments(database, { companyId, count: SEARCHED / 10 });
  await database.query(
    `insert into saved_reports (company_id, name, created_at, filters)
     select $1, 'r', now(), json_build_object('a', (select json_agg('{}'::json) from generate_series(1, 5000)))
       from generate_series(1, $2::int)`,
    [companyId, REPORTS],
  );
  const vendor = { name: 'Acme', taxId: '514000000', type: 'COMPANY' };
  const { vendorId } = await site.ask<{ vendorId: number }>('POST', '/vendors/create', vendor, key);
  await database.query(
    `with made as (
       insert into products (visible_id, company_id, name, sku, is_active, created_at, updated_at)
       select gen_random_uuid(), $1, 'Product ' || n, 'sku-' || n, true, now(), now()
         from generate_series(1, $3::int) n returning id
     )
     insert into pricelist_entries (entity_id, product_id, position, pricing_mode, price_tiers, tiers_mode)
     select $2, id, row_number() over (order by id), 'tiers',
            (select jsonb_agg(jsonb_build_object('from', t, 'to', t, 'tierType', 'fixed', 'price', t))
               from generate_series(1, 60) t), 'slabs'
       from made`,
    [companyId, vendorId, PRICED],
  );
  const asked = { name: 'Acme', taxId: '514000000', type: 'COMPANY' };
  const { clientId } = await site.ask<{ clientId: number }>('POST', '/clients/create', asked, key);
  const items = Array.from({ length: 1_000 }, () => ITEM);
  const invoice = { entityId: clientId, items };
  const { id } = await site.ask<{ id: number }>('POST', '/documents/create/tax-invoice', invoice, key);
  const retainer = { ...invoice, interval: 'YEARLY', nextRunDate: '2100-01-01', documentType: 'TAX_INVOICE' };
  for (let made = 0; made < 6; made++) await site.ask('POST', '/retainers/create', retainer, key);
  const paths = [
    ...['/documents?limit=200', '/documents?updatedSince=2000-01-01T00:00:00Z&limit=200', `/documents/${id}`],
    ...['/retainers', '/reports/documents/saved', `/vendors/pricelist?entityId=${vendorId}`],
    ...['/products?search=Product&limit=200', '/documents?search=a&limit=200'],
  ];
  const calls = paths.map((path) => ({ method: 'GET', path, headers: asOwner(key) }));
  return (durationMs) =>
    site.attackers.flood({ ...at(site), calls, callers: 20, perSecond: 300, durationMs });
};

const atOnce =
  (name: string, attacks: readonly Prepare[]): Prepare =>
  async (site) => {
    const attacker = await site.newCompany(name);
    const ready: Ready[] = [];
    for (const prepare of attacks) ready.push(await prepare(site, attacker));
    return (durationMs) => Promise.all(ready.map((start) => start(durationMs)));
  };

const EVERYTHING = [searching, previewing, uploading, issuing, extracting];

/** One company makes all kinds of ordinary calls at once. */
export const everything = atOnce('Everything', EVERYTHING);
export const everythingAndPricelists = atOnce('Pricelists too', [...EVERYTHING, sendingLargeBodies]);
