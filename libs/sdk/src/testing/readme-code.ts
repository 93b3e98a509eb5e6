import { readFileSync } from 'node:fs';
import path from 'node:path';

const README = path.resolve(__dirname, '../../README.md');

/** Returns the code block of a language in a section of the package's README, or another file. Fails unless there is one. */
export function readmeCode(section: string, language: string, file = README): string {
  const [, text = ''] = readFileSync(file, 'utf8').split(`\n## ${section}\n`);
  const [own = ''] = text.split('\n## ');
  const blocks = [...own.matchAll(/^```(\S+)\n(.*?)^```$/gms)].filter(([, name]) => name === language);
  const [, , code] = blocks[0] ?? [];
  if (code !== undefined && blocks.length === 1) return code;
  throw new Error(`${blocks.length} blocks of ${language} in "${section}", not one`);
}

/** Lines with code. */
export const lineCount = (code: string): number =>
  code.split('\n').filter((line) => line.trim() !== '').length;
