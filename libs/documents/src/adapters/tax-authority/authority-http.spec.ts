import { NodeOutboundHttp } from '@counterfoil/outbound-http';
import { TaxAuthorityUnavailable } from '../../application/ports/tax-authority';
import { AuthorityStandIn } from '../../testing/authority-stand-in';
import { callAuthority } from './authority-http';

let standIn: AuthorityStandIn;
let http: NodeOutboundHttp;

beforeEach(async () => {
  standIn = await AuthorityStandIn.start();
  http = new NodeOutboundHttp({
    allowedNetworks: [{ cidr: '127.0.0.1/32', port: null }],
    connectionsPerOriginMax: 1,
  });
});

afterEach(async () => {
  await http.close();
  await standIn.close();
});

const callUntil = (deadline: number) =>
  callAuthority(http, {
    url: `${standIn.config.url}/Invoices/v2/Approval`,
    headers: {},
    body: '{}',
    deadline,
  });

describe('the time limit of requests to the tax authority', () => {
  it('ends a running call', async () => {
    standIn.misbehave('hang');
    const before = performance.now();
    await expect(callUntil(before + 100)).rejects.toBeInstanceOf(TaxAuthorityUnavailable);
    expect(performance.now() - before).toBeLessThan(2_000);
    expect(standIn.requests).toHaveLength(1);
  });

  it('prevents a later call', async () => {
    await expect(callUntil(performance.now() - 1)).rejects.toThrow('the tax authority took too long');
    expect(standIn.requests).toEqual([]);
  });
});
