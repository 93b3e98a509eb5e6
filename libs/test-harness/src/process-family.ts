import fs from 'node:fs';

/** Returns the ids of a process and all of its descendants. Only Linux lists them. */
export function processFamily(pid: number): number[] {
  const children = `/proc/${pid}/task/${pid}/children`;
  // A process may end meanwhile.
  const ids = fs.existsSync(children) ? fs.readFileSync(children, 'utf8') : '';
  return [pid, ...ids.trim().split(' ').filter(Boolean).map(Number).flatMap(processFamily)];
}
