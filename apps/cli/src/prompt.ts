import { createInterface, type Interface } from 'node:readline/promises';
import { Writable } from 'node:stream';
import { CommandError, EXIT } from './failure';
import type { TextStream } from './text-stream';

/** The terminal that a person types at, or a pipe. */
export interface Typing {
  readonly stdin: NodeJS.ReadStream;
  readonly stderr: TextStream;
  readonly signal: AbortSignal;
}

/** Asks a person for a line, which the terminal shows. An empty one means the proposal. */
export async function ask(question: string, proposal: string, typing: Typing): Promise<string> {
  const echo = new Writable({
    write: (chunk: Buffer, _, done) => {
      typing.stderr.write(chunk.toString());
      done();
    },
  });
  return (await lineOf(`${question} [${proposal}]: `, typing, echo)) || proposal;
}

/** Reads a secret: typed at a terminal, without an echo, or else the first line of standard input. */
export async function readSecret(question: string, typing: Typing): Promise<string> {
  if (!typing.stdin.isTTY) return firstLine(typing.stdin);
  const nowhere = new Writable({ write: (_chunk, _encoding, done) => done() });
  const secret = await lineOf(`${question}: `, typing, nowhere);
  typing.stderr.write('\n');
  return secret;
}

async function lineOf(
  question: string,
  { stdin, stderr, signal }: Typing,
  output: Writable,
): Promise<string> {
  // This ends the echo of the terminal. A secret typed right after the question must not be shown.
  const terminal = createInterface({ input: stdin, output, terminal: true });
  stderr.write(question);
  const ended = new AbortController();
  terminal.on('close', () => ended.abort());
  // The terminal is in raw mode, in which Ctrl-C is a key.
  terminal.on('SIGINT', () => process.kill(process.pid, 'SIGINT'));
  try {
    return (await terminal.question('', { signal: AbortSignal.any([signal, ended.signal]) })).trim();
  } catch (error) {
    if (signal.aborted || !ended.signal.aborted) throw error;
    throw new CommandError(EXIT.usage, 'the input ended');
  } finally {
    close(terminal);
  }
}

function close(terminal: Interface): void {
  terminal.removeAllListeners('close');
  terminal.close();
}

async function firstLine(stdin: NodeJS.ReadStream): Promise<string> {
  const lines = createInterface({ input: stdin });
  try {
    for await (const line of lines) return line.trim();
    return '';
  } finally {
    lines.close();
    stdin.destroy();
  }
}
