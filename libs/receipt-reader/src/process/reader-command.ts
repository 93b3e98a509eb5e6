import { type ChildProcess, spawn } from 'node:child_process';
import { getPriority } from 'node:os';
import path from 'node:path';
import type { Readable } from 'node:stream';
import { type ChildSettings, LIFELINE } from './protocol';
import type { Sandbox } from './sandbox';

/** Limit of the JavaScript heap. Images and models are outside of it. */
const HEAP_MAX_MIB = 512;
/** The directory of the compiled code. */
const CODE = path.resolve(__dirname, '../../../..');
const PACKAGES = path.resolve(CODE, '../node_modules');

export interface ReaderCommand {
  readonly main: string;
  readonly settings: ChildSettings;
  readonly sandbox: Sandbox;
  /** 0 to 19; a higher value means a lower priority, within and between sessions. */
  readonly niceness: number;
}

/**
 * Sets the niceness of the session and of the process. With autogroup, Linux shares the processor between
 * sessions first, so the niceness of a process alone only counts within its session.
 */
const GIVE_WAY = '(echo "$0" > /proc/self/autogroup) 2> /dev/null; exec nice -n "$@"';

/**
 * Starts a reader process. Because it reads untrusted documents, it inherits neither the environment nor the
 * terminal signals. It ends itself when the other end of its lifeline closes, which happens when this process
 * ends.
 *
 * @param onCpuMs called with the processor time of the process whenever it reports it
 */
export function startReader(
  { main, settings, sandbox, niceness }: ReaderCommand,
  onCpuMs: (cpuMs: number) => void = () => undefined,
): ChildProcess {
  const node = [process.execPath, '--enable-source-maps', `--max-old-space-size=${HEAP_MAX_MIB}`];
  const command = [...node, main, JSON.stringify(settings)];
  const wrapped = sandbox.wrap(command, [process.execPath, path.dirname(main), CODE, PACKAGES]);
  const nicer = niceness - getPriority();
  const [program = '', ...args] =
    nicer > 0 ? ['sh', '-c', GIVE_WAY, `${niceness}`, `${nicer}`, ...wrapped] : wrapped;
  const child = spawn(program, args, {
    // Libraries need a home directory. The sandbox may have no user database to look it up.
    env: { TZ: 'UTC', ...(sandbox.kind === 'none' ? {} : { HOME: '/tmp' }) },
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'pipe', 'ipc', 'pipe'],
    detached: true,
  });
  // stdio is undefined if the process could not be started. Other handlers report that and the exit.
  const stdio = child.stdio as ChildProcess['stdio'] | undefined;
  const lifeline = stdio?.[LIFELINE] as Readable | null | undefined;
  lifeline?.on('error', () => undefined);
  lifeline?.setEncoding('latin1').on('data', (text: string) => {
    const told = Number(text.split('\n').at(-2));
    if (Number.isSafeInteger(told)) onCpuMs(told);
  });
  return child;
}

/**
 * Ends a reader process and those that it started. Its sandbox ends them only once it is complete, so all processes of
 * the group are ended.
 */
export function endReader({ pid, exitCode, signalCode }: ChildProcess): void {
  // The id of a process that has ended may belong to another one.
  if (pid === undefined || exitCode !== null || signalCode !== null) return;
  try {
    process.kill(-pid, 'SIGKILL');
  } catch {
    // The last of them has just ended.
  }
}
