import { SideProcess } from './side-process';
import type { SelfSigned } from './self-signed';

export interface HostileState {
  /** TCP connections open now. */
  readonly open: number;
  /** The number of requests by kind, or of connections for kinds that never receive a request. */
  readonly requests: Readonly<Record<string, number>>;
}

/** Misbehaving HTTPS receivers in a separate process. */
export interface HostileReceivers {
  /** For example `silent-tls`, `flood` or `after-9.9s`; see `hostile-process.mjs`. */
  readonly kinds: readonly string[];
  urlOf(kind: string): string;
  state(): Promise<HostileState>;
  close(): Promise<void>;
}

/** @param certificate a certificate that the sender already trusts */
export async function startHostileReceivers({
  cert,
  key,
}: Pick<SelfSigned, 'cert' | 'key'>): Promise<HostileReceivers> {
  const side = SideProcess.start('hostile-process.mjs');
  const ports = await side.call<Record<string, number>>('start', { cert, key });
  return {
    kinds: Object.keys(ports),
    urlOf: (kind) => `https://127.0.0.1:${ports[kind]}/${kind}`,
    state: () => side.call('state'),
    close: () => side.close(),
  };
}
