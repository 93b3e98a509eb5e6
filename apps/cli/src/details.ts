import { printable } from './printable';
import type { Cell } from './table';

/** Lines of names and values, aligned. Values that a record does not have are left out. */
export function details(values: Readonly<Record<string, Cell>>): string {
  const present = Object.entries(values).filter(([, value]) => value !== null && value !== undefined);
  const width = Math.max(0, ...present.map(([name]) => name.length));
  return present.map(([name, value]) => `${name.padEnd(width)}  ${printable(String(value))}`).join('\n');
}
