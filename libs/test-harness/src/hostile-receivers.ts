import { SideProcess } from './side-process';
import type { SelfSigned } from './self-signed';

export interface HostileState {
  /** TCP connections open now. */
  readonly open: number;
  /** Requests, or connections of the kinds that let none come so far. */
  readonly requests: Readonly<Record<string, number>>;
}

/** HTTPS receivers that do what no receiver should, in a process of their own. */
export interface HostileReceivers {
  /** Such as `silent-tls`, `flood` or `after-9.9s`; `hostile-process.mjs` has them all. */
  readonly kinds: readonly string[];
  urlOf(kind: string): string;
  state(): Promise<HostileState>;
  close(): Promise<void>;
}

/** @param certificate that the sender trusts already */
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
