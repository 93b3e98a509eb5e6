import { readFileSync } from 'node:fs';
import path from 'node:path';

const PAGE = path.resolve(__dirname, '../../../../docs/webhooks.md');

/**
 * Returns the only code block of a language in a section of docs/webhooks.md, or the one that contains a
 * text.
 */
export function documentedCode(section: string, language: string, containing = ''): string {
  const [, text] = readFileSync(PAGE, 'utf8').split(`\n## ${section}\n`);
  if (text === undefined) throw new Error(`docs/webhooks.md has no section "${section}"`);
  const [own = ''] = text.split('\n## ');
  const blocks = [...own.matchAll(/^```(\S*)\n(.*?)^```$/gms)]
    .filter(([, name, code]) => name === language && code?.includes(containing))
    .map(([, , code = '']) => code);
  const [block] = blocks;
  if (block !== undefined && blocks.length === 1) return block;
  throw new Error(`${blocks.length} blocks of ${language} with "${containing}" in "${section}", not one`);
}
