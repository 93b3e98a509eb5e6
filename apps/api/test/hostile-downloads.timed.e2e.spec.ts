import { startApiServiceProcess, type ApiServiceProcess, until } from '@counterfoil/test-harness';
import { closeConnections } from './http-exchange';
import { headOf, RawConnection } from './raw-connection';
import { MemoryWatch, upload } from './uploads';
import { MIB } from './wire-values';

const PDF = '%PDF-1.7\n1 0 obj\nendobj\n';
const ATTACKERS = 3;
const UNREAD_OF_EACH = 200;

let service: ApiServiceProcess;

beforeAll(async () => {
  service = await startApiServiceProcess();
});
afterEach(() => RawConnection.hangUpAll());
afterAll(async () => {
  closeConnections();
  await service.stop();
});

async function companyWith(name: string, content: Buffer | string): Promise<string> {
  const { ownerKey } = await service.createCompany(name);
  return (await upload(service.url, content, { key: ownerKey })).remoteUrl;
}

/** Opens a link and reads only the first bytes of the answer. */
function openUnread(link: string): RawConnection {
  const { pathname, search } = new URL(link);
  const connection = RawConnection.open(service.url, headOf(pathname + search, { key: null, method: 'GET' }));
  connection.stopReadingOnceAnswered();
  return connection;
}

it('600 unread links use no slot of another company', async () => {
  const large = Buffer.alloc(20 * MIB, 'x');
  const links: string[] = [];
  for (let n = 0; n < ATTACKERS; n++) links.push(await companyWith(`Attacker ${n}`, large));
  const victims = await companyWith('Victim', PDF);
  const memory = new MemoryWatch(service.api.pid);
  const unread = Array.from({ length: UNREAD_OF_EACH }, () => links.map(openUnread)).flat();
  await until('all to be answered', () => unread.every(({ statuses }) => statuses.length > 0), 60_000);
  const held = unread.filter(({ statuses }) => statuses[0] === 200).length;
  expect(held).toBeGreaterThan(300);
  const started = Date.now();
  const answer = await fetch(victims);
  expect({ status: answer.status, text: await answer.text() }).toEqual({ status: 200, text: PDF });
  // `npm run trial -- hostile` requires a second on an idle machine.
  expect(Date.now() - started).toBeLessThan(5_000);
  expect(memory.grownMib()).toBeLessThan(250);
});
