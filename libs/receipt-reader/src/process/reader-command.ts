import { type ChildProcess, spawn } from 'node:child_process';
import { getPriority } from 'node:os';
import path from 'node:path';
import type { Readable } from 'node:stream';
import { type ChildSettings, LIFELINE } from './protocol';
import type { Sandbox } from './sandbox';

/** JavaScript's own share; images and models are kept outside of it. */
const HEAP_MAX_MIB = 512;
/** The folder of compiled code. */
const CODE = path.resolve(__dirname, '../../../..');
const PACKAGES = path.resolve(CODE, '../node_modules');

export interface ReaderCommand {
  readonly main: string;
  readonly settings: ChildSettings;
  readonly sandbox: Sandbox;
  /** 0 to 19: higher gives way to others, of this session and of all others. */
  readonly niceness: number;
}

/**
 * Sets the niceness of the session, then that of the process. Linux shares the processor between sessions first
 * (autogroup), and a process that is nice gives way within its own session alone.
 */
const GIVE_WAY = '(echo "$0" > /proc/self/autogroup) 2> /dev/null; exec nice -n "$@"';

/**
 * Starts a reader's process. It reads documents of strangers, so it gets none of our environment, and no signal of
 * our terminal. It ends itself when the other end of its lifeline is closed, which happens when this process ends.
 *
 * @param onCpuMs called with the processor time of the process, as often as it reports it
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
    // Libraries ask for a home; whose name it has inside, the system may not know.
    env: { TZ: 'UTC', ...(sandbox.kind === 'none' ? {} : { HOME: '/tmp' }) },
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'pipe', 'ipc', 'pipe'],
    detached: true,
  });
  // There is none if the process could not be started; other handlers report that, and its end.
  const stdio = child.stdio as ChildProcess['stdio'] | undefined;
  const lifeline = stdio?.[LIFELINE] as Readable | null | undefined;
  lifeline?.on('error', () => undefined);
  lifeline?.setEncoding('latin1').on('data', (text: string) => {
    const told = Number(text.split('\n').at(-2));
    if (Number.isSafeInteger(told)) onCpuMs(told);
  });
  return child;
}
