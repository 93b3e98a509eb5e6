import { DEMO_KEY, queueStores, startService, type TestService, until } from '@counterfoil/test-harness';
import { CliHome, ended } from './cli-process';

const LIMIT_MS = 60_000;

let service: TestService;
let home: CliHome;

beforeAll(async () => {
  service = await startService(queueStores()[0]!);
});
afterAll(() => service?.stop());
beforeEach(() => {
  home = new CliHome().use(service.url, DEMO_KEY);
});
afterEach(() => home.remove());

interface Vendor {
  readonly name: string;
  readonly email: string | null;
  readonly visibleId: string;
}
const vendorsLike = async (search: string): Promise<readonly Vendor[]> => {
  const path = `/vendors?limit=200&search=${encodeURIComponent(search)}`;
  return (await service.request<{ data: Vendor[] }>('GET', path)).body.data;
};
const manyVendors = (name: string, count: number): string =>
  Array.from({ length: count }, (_, index) =>
    JSON.stringify({ name: `${name} ${index}`, taxId: '514000017', type: 'COMPANY' }),
  ).join('\n');

describe('counterfoil vendors import', () => {
  it('creates the rows of a CSV file, lists the refused ones with line and reason, and can be run again', async () => {
    const rows = [
      'taxId;Name;type;withholdingTaxRate;contact.firstName',
      '514000017;נייר בע"מ;COMPANY;20;נועה',
      '514000017;"Ink; and more";COMPANY;;',
      '',
      '514000017;Glue;SHOP;;',
      '514000017;"two',
      'lines";COMPANY;;',
      ';Nameless;COMPANY;much;',
    ];
    const file = home.write('vendors.csv', `\ufeff${rows.join('\r\n')}\r\n`);
    const first = await home.run(['vendors', 'import', file]);
    expect(first.exitCode).toBe(1);
    expect(first.stderr).toBe('error: 2 rows were refused\n');
    expect(first.stdout.split('\n')).toEqual([
      expect.stringMatching(/^line 5: type: .+ \(VALIDATION_FAILED\)$/),
      expect.stringMatching(/^line 8: (?=.*taxId: )(?=.*withholdingTaxRate: ).+ \(VALIDATION_FAILED\)$/),
      '3 created, 0 were there already, 2 refused',
      '',
    ]);
    home.write('vendors.csv', rows.slice(0, -1).join('\n').replace('SHOP', 'PATOOR'));
    const again = await home.run(['vendors', 'import', file]);
    expect(again).toEqual({
      exitCode: 0,
      stdout: '1 created, 3 were there already, 0 refused\n',
      stderr: '',
    });
    expect(await vendorsLike('נייר')).toHaveLength(1);
    expect(await vendorsLike('Ink; and more')).toHaveLength(1);
  });

  it('reads JSON, JSON Lines and other encodings', async () => {
    const json = home.write('v.json', `[${manyVendors('Json', 2).replaceAll('\n', ',')}, { "name": "" }]`);
    const refused = await home.run(['vendors', 'import', json, '--json']);
    const places = refused.stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as { place: string; error?: object });
    expect(places).toHaveLength(3);
    expect(places.find(({ error }) => error)).toMatchObject({
      place: 'entry 3',
      error: { code: 'VALIDATION_FAILED', fields: expect.any(Array) },
    });
    const lines = await home.run(['vendors', 'import', '-', '--format', 'jsonl'], manyVendors('Line', 2));
    expect(lines).toMatchObject({ exitCode: 0, stdout: expect.stringMatching(/^2 created/) });
    // "דיו" in windows-1255.
    const hebrew = Buffer.from([0xe3, 0xe9, 0xe5]);
    const text = Buffer.concat([
      Buffer.from('name,taxId,type\n'),
      hebrew,
      Buffer.from(',514000017,COMPANY\n'),
    ]);
    const file = home.write('hebrew.csv', text);
    expect(await home.run(['vendors', 'import', file])).toMatchObject({ exitCode: 2, stdout: '' });
    expect(await home.run(['vendors', 'import', file, '--encoding', 'windows-1255'])).toMatchObject({
      exitCode: 0,
    });
    expect(await vendorsLike('דיו')).toHaveLength(1);
  });

  it('creates nothing twice when it is killed and run again', async () => {
    const file = home.write('killed.jsonl', manyVendors('Killed', 150));
    const child = home.start(['vendors', 'import', file]);
    await until('some vendors', async () => (await vendorsLike('Killed')).length > 10, LIMIT_MS);
    child.kill('SIGKILL');
    await ended(child);
    const some = (await vendorsLike('Killed')).length;
    expect(some).toBeLessThan(150);
    const rest = await home.run(['vendors', 'import', file]);
    expect(rest).toMatchObject({ exitCode: 0, stdout: expect.stringContaining('0 refused') });
    const names = (await vendorsLike('Killed')).map(({ name }) => name);
    expect([names.length, new Set(names).size]).toEqual([150, 150]);
  });

  it('stops at Ctrl-C, and tells how many are left', async () => {
    const file = home.write('stopped.jsonl', manyVendors('Stopped', 2_000));
    const child = home.start(['vendors', 'import', file]);
    const outcome = ended(child);
    await until('some vendors', async () => (await vendorsLike('Stopped')).length > 10, LIMIT_MS);
    child.kill('SIGINT');
    const { exitCode, stdout } = await outcome;
    expect({ exitCode, stdout }).toEqual({
      exitCode: 130,
      stdout: expect.stringMatching(/, \d+ not sent: run the/),
    });
  });

  it('draws a progress bar on a terminal', async () => {
    const file = home.write('bar.jsonl', manyVendors('Bar', 5));
    const { stdout } = await ended(home.onTerminal(['vendors', 'import', file]));
    expect(stdout).toContain('importing [------------------------] 0 % 0/5');
    expect(stdout).toContain('importing [########################] 100 % 5/5');
    expect(stdout).toContain('5 created');
  });

  it.each([
    ['an unknown column', 'a.csv', 'name,taxID,type,colour\nA,1,COMPANY,red\n'],
    ['a file without rows', 'a.csv', 'name,taxId,type\n'],
    ['a quote that is not closed', 'a.csv', 'name,taxId,type\n"A,1,COMPANY\n'],
    ['JSON that is no array', 'a.json', '{}'],
    ['an array of something else', 'a.json', '[1]'],
    ['a line that is not JSON', 'a.jsonl', '{}\n{'],
    ['an unknown ending', 'a.xlsx', ''],
  ])('exits with 2 for %s', async (_, name, content) => {
    const outcome = await home.run(['vendors', 'import', home.write(name, content)]);
    expect(outcome).toMatchObject({ exitCode: 2, stdout: '', stderr: expect.stringContaining(name) });
  });

  it('sends no more rows when the key is refused, when it may not write, or when the service is down', async () => {
    const file = home.write('rows.jsonl', manyVendors('Refused', 20));
    const viewer = { role: 'viewer', userName: 'Viewer' };
    const { body } = await service.request<{ key: string }>('POST', '/api-keys', viewer);
    const forbidden = await home.use(service.url, body.key).run(['vendors', 'import', file]);
    expect(forbidden).toMatchObject({ exitCode: 1, stderr: expect.stringContaining('FORBIDDEN') });
    expect(forbidden.stdout).toContain('20 not sent');
    expect(await home.use(service.url, 'sk_wrong').run(['vendors', 'import', file])).toMatchObject({
      exitCode: 4,
    });
  });
});
