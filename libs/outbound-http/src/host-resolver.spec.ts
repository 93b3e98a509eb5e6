import { createSocket, type Socket } from 'node:dgram';
import { writeFile, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { hostResolver } from './host-resolver';

const RECORDS = new Map([
  ['1 v4', [93, 184, 216, 34]],
  ['28 v6', [0x26, 6, 0x47, 0, ...Array<number>(11).fill(0), 1]],
]);

/**
 * A name server. `v4-…` has an A record, `v6-…` an AAAA record, `hang-…` gets no answer, other names do not
 * exist.
 */
function answerTo(query: Buffer): Buffer | null {
  const labels: string[] = [];
  let at = 12;
  for (let length = query[at] ?? 0; length > 0; length = query[at] ?? 0) {
    labels.push(query.toString('latin1', at + 1, at + 1 + length));
    at += length + 1;
  }
  const type = query.readUInt16BE(at + 1);
  const kind = labels[0]?.split('-')[0];
  if (kind === 'hang') return null;
  const header = Buffer.from(query.subarray(0, 12));
  header.writeUInt16BE(kind === 'v4' || kind === 'v6' ? 0x8180 : 0x8183, 2);
  const data = RECORDS.get(`${type} ${kind}`);
  header.writeUInt16BE(data ? 1 : 0, 6);
  header.writeUInt16BE(0, 10);
  const parts = [header, query.subarray(12, at + 5)];
  if (data) parts.push(Buffer.from([0xc0, 12, 0, type, 0, 1, 0, 0, 0, 60, 0, data.length, ...data]));
  return Buffer.concat(parts);
}

describe('the look-up of names', () => {
  let nameServer: Socket;
  let folder: string;
  let resolve: (name: string) => Promise<readonly string[]>;

  beforeAll(async () => {
    nameServer = createSocket('udp4');
    nameServer.on('message', (query, from) => {
      const answer = answerTo(query);
      if (answer) nameServer.send(answer, from.port, from.address);
    });
    await new Promise<void>((done) => nameServer.bind(0, '127.0.0.1', done));
    folder = await mkdtemp(path.join(tmpdir(), 'hosts-'));
    const hostsFile = path.join(folder, 'hosts');
    await writeFile(
      hostsFile,
      '# local names\n10.0.0.5 Receiver.internal receiver # ours\n::9\treceiver.internal\n',
    );
    const servers = [`127.0.0.1:${nameServer.address().port}`];
    resolve = hostResolver({ hostsFile, servers, queryTimeoutMs: 300 });
  });

  it('fails with the error of the machine if the hosts file cannot be read, but needs no such file', async () => {
    const servers = [`127.0.0.1:${nameServer.address().port}`];
    const absent = hostResolver({ hostsFile: path.join(folder, 'absent'), servers });
    expect(await absent('v4-absent.example')).toEqual(['93.184.216.34']);
    await expect(hostResolver({ hostsFile: folder, servers })('v4-broken.example')).rejects.toMatchObject({
      code: 'EISDIR',
    });
  });

  afterAll(async () => {
    nameServer.close();
    await rm(folder, { recursive: true });
  });

  it('returns every address of the hosts file without other queries', async () => {
    expect(await resolve('RECEIVER.internal')).toEqual(['10.0.0.5', '::9']);
    expect(await resolve('receiver')).toEqual(['10.0.0.5']);
  });

  it('resolves localhost with the system', async () => {
    expect(await resolve('localhost')).toEqual(expect.arrayContaining(['127.0.0.1']));
  });

  it('returns addresses of both families', async () => {
    expect(await resolve('v4-a.example')).toEqual(['93.184.216.34']);
    expect(await resolve('v6-a.example')).toEqual(['2606:4700::1']);
  });

  it('fails for a name that does not exist', async () => {
    await expect(resolve('none.example')).rejects.toThrow('no address for none.example');
  });

  it('is not delayed by name servers that hang (contract §15.12)', async () => {
    const hanging = Array.from({ length: 64 }, (_, index) =>
      resolve(`hang-${index}.example`).catch(() => 'failed'),
    );
    expect(await Promise.race([resolve('v4-b.example'), ...hanging])).toEqual(['93.184.216.34']);
    expect(new Set(await Promise.all(hanging))).toEqual(new Set(['failed']));
  });
});
