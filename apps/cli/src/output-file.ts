import { writeFile } from 'node:fs/promises';
import { CommandError, EXIT } from './failure';

export async function writeOutput(file: string, content: string | Uint8Array): Promise<void> {
  try {
    await writeFile(file, content);
  } catch (error) {
    throw new CommandError(EXIT.usage, `${file} cannot be written: ${(error as Error).message}`);
  }
}
