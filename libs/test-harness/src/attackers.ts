import { SideProcess } from './side-process';

export interface AttackCall {
  readonly method: string;
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  /** Number of spaces to send as the body. */
  readonly bytes?: number;
  /** Sends the body without a content-length. */
  readonly chunked?: boolean;
}

interface Attack {
  readonly url: string;
  /** The local address of the connections. It distinguishes the attackers from other clients. */
  readonly from: string;
  readonly durationMs: number;
}

export interface Flood extends Attack {
  /** Sent in turn. */
  readonly calls: readonly AttackCall[];
  /** The maximum of concurrent calls. */
  readonly callers: number;
  /** Limits the processor time of the attackers themselves. */
  readonly perSecond: number;
  /** After this time a caller hangs up and sends the next call. */
  readonly patienceMs?: number;
}

export interface Held extends Attack {
  readonly connections: number;
  /** The first bytes of the connections, in turn: a request head or a part of one. */
  readonly texts: readonly string[];
  /** Number of spaces to send after the text. */
  readonly bytes?: number;
  /** Whether to read the answers. Default: true. */
  readonly reads?: boolean;
  /** The interval at which to send another byte. */
  readonly everyMs?: number;
}

export interface Flooded {
  readonly sent: number;
  /** The number of calls by status or error. */
  readonly outcomes: Readonly<Record<string, number>>;
}

export interface HeldOpen {
  /** The number of connections open at the end. */
  readonly held: number;
  /** The number of connections opened, including reopened ones. */
  readonly opened: number;
  readonly outcomes: Readonly<Record<string, number>>;
}

/** Hostile callers on this machine, in a separate process. Both methods resolve when the time is over. */
export interface Attackers {
  flood(attack: Flood): Promise<Flooded>;
  hold(attack: Held): Promise<HeldOpen>;
  close(): Promise<void>;
}

export function startAttackers(): Attackers {
  const process = SideProcess.start('attack-process.mjs');
  return {
    flood: (attack) => process.call('flood', attack),
    hold: (attack) => process.call('hold', attack),
    close: () => process.close(),
  };
}
