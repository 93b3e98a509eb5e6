import fs from 'node:fs';
import path from 'node:path';

/** The directory of the receipt set and its scorer, which is not part of the repository. */
export function receiptsSet(): string {
  const set = process.env['RECEIPTS_SET'];
  const expected = 'a folder with documents/, truth/, transcripts/ and score.mjs';
  if (!set) throw new Error(`RECEIPTS_SET is missing: it names the set of receipts, ${expected}`);
  if (!fs.existsSync(path.join(set, 'score.mjs')))
    throw new Error(`RECEIPTS_SET is ${set}, and there is no score.mjs: it must name ${expected}`);
  return path.resolve(set);
}
