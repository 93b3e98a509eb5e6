import { NodeOutboundHttp, type NodeOutboundHttpOptions } from '../node-outbound-http';
import type { OutboundRequest } from '../outbound-http';

/** A client that may connect to loopback, to which every name resolves. */
export function givenOutbound(overrides: Partial<NodeOutboundHttpOptions> = {}): NodeOutboundHttp {
  return new NodeOutboundHttp({
    allowedNetworks: [{ cidr: '127.0.0.1/32', port: null }],
    connectionsPerOriginMax: 8,
    resolve: () => Promise.resolve(['127.0.0.1']),
    nameLookupMs: 100,
    ...overrides,
  });
}

/** A webhook delivery with short time limits. */
export function aDelivery(url: string, overrides: Partial<OutboundRequest> = {}): OutboundRequest {
  return {
    method: 'POST',
    url,
    headers: { 'content-type': 'application/json' },
    body: '{"id":1}',
    timeoutMs: 500,
    bodyMaxBytes: 1024,
    bodyGraceMs: 150,
    acknowledgeOn: 'status',
    ...overrides,
  };
}

export function aDownload(url: string, overrides: Partial<OutboundRequest> = {}): OutboundRequest {
  return {
    method: 'GET',
    url,
    headers: {},
    timeoutMs: 500,
    bodyMaxBytes: 4096,
    acknowledgeOn: 'body',
    ...overrides,
  };
}

/** Waits until the condition is true. Fails after eight seconds. */
export async function eventually(condition: () => boolean): Promise<void> {
  const limit = performance.now() + 8_000;
  while (!condition()) {
    if (performance.now() > limit) throw new Error(`never came true: ${condition.toString()}`);
    await new Promise((resolve) => setTimeout(resolve, 2));
  }
}
