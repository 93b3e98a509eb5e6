import fs from 'node:fs';
import path from 'node:path';
import { ERROR_STATUS } from './error-body';

const PAGE = path.resolve(__dirname, '../../../../docs/errors.md');
/** A row of the table: | `CODE` | 400 | … */
const ROW = /^\| *`([A-Z_]+)` *\| *(\d{3}) *\|/gm;

function documented(): [code: string, status: number][] {
  return [...fs.readFileSync(PAGE, 'utf8').matchAll(ROW)].map(([, code = '', status]) => [
    code,
    Number(status),
  ]);
}

describe('docs/errors.md', () => {
  it('lists every error code with its status, and no other', () => {
    expect(Object.fromEntries(documented())).toEqual(ERROR_STATUS);
  });

  it('lists no code twice', () => {
    const codes = documented().map(([code]) => code);
    expect(codes).toEqual([...new Set(codes)]);
  });
});
