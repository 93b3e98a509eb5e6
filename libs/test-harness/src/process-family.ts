import fs from 'node:fs';

/** The ids of a process and of all that it has started, and that these have. Linux alone tells them. */
export function processFamily(pid: number): number[] {
  const children = `/proc/${pid}/task/${pid}/children`;
  // A process may end while it is looked at.
  const ids = fs.existsSync(children) ? fs.readFileSync(children, 'utf8') : '';
  return [pid, ...ids.trim().split(' ').filter(Boolean).map(Number).flatMap(processFamily)];
}
