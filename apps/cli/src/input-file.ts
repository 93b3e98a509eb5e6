import { readFile } from 'node:fs/promises';
import { buffer } from 'node:stream/consumers';
import { CommandError, EXIT } from './failure';

/** The name that stands for standard input. */
export const STDIN = '-';

/** Reads a file, or standard input for `-`. */
export async function readInput(file: string, stdin: NodeJS.ReadStream): Promise<Buffer> {
  if (file === STDIN) return buffer(stdin);
  try {
    return await readFile(file);
  } catch (error) {
    throw unreadable(file, error);
  }
}

export function unreadable(file: string, error: unknown): CommandError {
  const { code, message } = error as NodeJS.ErrnoException;
  const reason = { ENOENT: 'there is no such file', EISDIR: 'it is a folder', EACCES: 'you may not read it' };
  return new CommandError(EXIT.usage, `${file}: ${reason[code as keyof typeof reason] ?? message}`);
}

/** @throws CommandError that names the source */
export function parseJson(text: string, source: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch (error) {
    throw new CommandError(EXIT.usage, `${source} is not JSON: ${(error as Error).message}`);
  }
}

export const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
