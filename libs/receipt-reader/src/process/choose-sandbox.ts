import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { startReader } from './reader-command';
import { NO_SANDBOX, type Sandbox, type SandboxKind, sandboxes } from './sandbox';

/** `require`: nothing is read where a reader cannot be kept from the network and from all files. */
export type SandboxMode = 'auto' | 'require' | 'off';

export interface ChosenSandbox {
  readonly sandbox: Sandbox;
  /** Why nothing stronger was chosen. */
  readonly refused: readonly string[];
}

const STRONG: readonly SandboxKind[] = ['namespaces', 'bwrap'];
const PROBE_LIMIT_MS = 15_000;
const MEMORY_MAX_BYTES = 256 * 1024 * 1024;

/**
 * Finds the strongest sandbox that works here, by starting a process in each.
 *
 * @throws Error with one line for an operator, when one is required and there is none
 */
export async function chooseSandbox(mode: SandboxMode): Promise<ChosenSandbox> {
  if (mode === 'off') return { sandbox: NO_SANDBOX, refused: [] };
  const refused: string[] = [];
  for (const sandbox of sandboxes(process.getuid?.() === 0)) {
    if (mode === 'require' && !STRONG.includes(sandbox.kind)) continue;
    const fault = await probe(sandbox);
    if (fault === null) return { sandbox, refused };
    refused.push(`${sandbox.kind}: ${fault}`);
  }
  if (mode === 'auto') return { sandbox: NO_SANDBOX, refused };
  const why = refused.join('; ') || `there is none for ${process.platform}`;
  throw new Error(`READER_SANDBOX is require, and no sandbox for the reader of receipts works here: ${why}`);
}

/** Structurally the log of every process of the product. */
interface SandboxLog {
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
}

const NOTE = 'how the reader of receipts is isolated';

/**
 * Tells the operator which sandbox is in force.
 *
 * @param risk a warning where none is: what a receipt could do that takes the reader over, and what helps against it
 */
export function noteSandbox(
  { sandbox: { kind }, refused }: ChosenSandbox,
  log: SandboxLog,
  risk: string,
): void {
  const fields = { sandbox: kind, refused };
  if (kind === 'none') log.warn(fields, `${NOTE}: not at all. ${risk}`);
  else log.info(fields, NOTE);
}

/** @returns why no reader can run so; null when one can */
async function probe(sandbox: Sandbox): Promise<string | null> {
  const main = path.join(__dirname, 'probe.js');
  const child = startReader({
    main,
    settings: { memoryMaxBytes: MEMORY_MAX_BYTES },
    sandbox,
    niceness: 0,
  });
  let told = '';
  child.stderr?.setEncoding('utf8').on('data', (text: string) => (told += text));
  const limit = new AbortController();
  try {
    return await Promise.race([
      new Promise<string | null>((resolve) => {
        child.once('message', () => resolve(null));
        child.once('error', (error) => resolve(error.message));
        child.once('close', (code) => resolve(lineOf(told) ?? `ended with ${code}`));
      }),
      sleep(PROBE_LIMIT_MS, `no answer within ${PROBE_LIMIT_MS / 1000} s`, { signal: limit.signal }),
    ]);
  } finally {
    limit.abort();
    child.kill('SIGKILL');
  }
}

/** The first line of a program's output names the problem. */
function lineOf(told: string): string | null {
  return told.trim().split('\n')[0] || null;
}
