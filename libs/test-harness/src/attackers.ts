import { SideProcess } from './side-process';

export interface AttackCall {
  readonly method: string;
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  /** In place of a body: so many spaces. */
  readonly bytes?: number;
  /** Does not say how long the body is. */
  readonly chunked?: boolean;
}

interface Attack {
  readonly url: string;
  /** The address of this machine that the connections come from, so that they are told apart from those of others. */
  readonly from: string;
  readonly durationMs: number;
}

export interface Flood extends Attack {
  /** Sent in turn. */
  readonly calls: readonly AttackCall[];
  /** How many calls are under way at a time, at most. */
  readonly callers: number;
  /** Bounds what the attackers themselves take of the processors. */
  readonly perSecond: number;
  /** A caller hangs up when the answer takes longer, and sends the next call. */
  readonly patienceMs?: number;
}

export interface Held extends Attack {
  readonly connections: number;
  /** The first bytes of the connections, in turn: a head, or a part of one. */
  readonly texts: readonly string[];
  /** So many spaces follow. */
  readonly bytes?: number;
  /** Whether what is answered is read. */
  readonly reads?: boolean;
  /** Sends a byte more at this interval. */
  readonly everyMs?: number;
}

export interface Flooded {
  readonly sent: number;
  /** How many calls were answered with each status, or ended by each error. */
  readonly outcomes: Readonly<Record<string, number>>;
}

export interface HeldOpen {
  /** Connections that were open in the end. */
  readonly held: number;
  /** Connections that were made, with those that were made again. */
  readonly opened: number;
  readonly outcomes: Readonly<Record<string, number>>;
}

/** Hostile callers on this machine, in a process of their own. Both methods resolve when the time is over. */
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
