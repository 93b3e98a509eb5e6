import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { endReader, startReader } from './reader-command';
import { NO_SANDBOX, type Sandbox, type SandboxKind, sandboxes } from './sandbox';

/** With `require`, nothing is read if no sandbox without network and file access works. */
export type SandboxMode = 'auto' | 'require' | 'off';

export interface ChosenSandbox {
  readonly sandbox: Sandbox;
  /** The reasons why the stronger sandboxes were rejected. */
  readonly refused: readonly string[];
}

const STRONG: readonly SandboxKind[] = ['namespaces', 'bwrap'];
const PROBE_LIMIT_MS = 15_000;
const MEMORY_MAX_BYTES = 256 * 1024 * 1024;

/**
 * Starts a process in each sandbox, and returns the strongest one that works on this machine.
 *
 * @throws Error with a one-line message for operators if a sandbox is required and none works
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
  const why = refused.join('; ') || `none is available on ${process.platform}`;
  throw new Error(`READER_SANDBOX=require, but no sandbox for the receipt reader works here: ${why}`);
}

/** The part of the logger that this file uses. */
interface SandboxLog {
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
}

const NOTE = 'isolation of the receipt reader';

/**
 * Logs which sandbox is in use.
 *
 * @param risk appended to the warning if there is no sandbox: the possible damage of a compromised reader,
 * and the remedy
 */
export function noteSandbox(
  { sandbox: { kind }, refused }: ChosenSandbox,
  log: SandboxLog,
  risk: string,
): void {
  const fields = { sandbox: kind, refused };
  if (kind === 'none') log.warn(fields, `${NOTE}: none. ${risk}`);
  else log.info(fields, NOTE);
}

/** @returns the reason why no reader can run in the sandbox; null if one can */
async function probe(sandbox: Sandbox): Promise<string | null> {
  const main = path.join(__dirname, 'probe.js');
  const child = startReader({
    main,
    settings: { memoryMaxBytes: MEMORY_MAX_BYTES, document: { ms: 0, cpuMs: 0, busyMs: 0 } },
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
    endReader(child);
  }
}

/** Returns the first line of a program's output, which states the problem. */
function lineOf(told: string): string | null {
  return told.trim().split('\n')[0] || null;
}
