import { writeFile } from 'node:fs/promises';
import type { Context } from './context';
import { CommandError, EXIT } from './failure';

/** Writes a file of the service, and reports it. */
export async function saveFile(context: Context, name: string, content: Blob): Promise<void> {
  await writeOutput(name, new Uint8Array(await content.arrayBuffer()));
  context.output.print({ file: name, bytes: content.size }, `Saved ${name} (${content.size} bytes).`);
}

export async function writeOutput(file: string, content: string | Uint8Array): Promise<void> {
  try {
    await writeFile(file, content);
  } catch (error) {
    throw new CommandError(EXIT.usage, `${file} cannot be written: ${(error as Error).message}`);
  }
}
