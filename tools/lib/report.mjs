// How the tools talk to the person in front of them: few lines, aligned, with the seconds that things took.
import path from 'node:path';
import { describe } from './fault.mjs';

export const say = (line) => console.log(line);

export const seconds = (sinceMs) => `${((performance.now() - sinceMs) / 1000).toFixed(1)} s`;

/** Runs one step and tells that it is done, what came of it, and how long it took. */
export async function step(label, work) {
  const started = performance.now();
  const detail = await work();
  say(`  ${label.padEnd(10)} ${detail} (${seconds(started)})`);
}

export function complain(error) {
  for (const line of describe(error).split('\n')) console.error(line);
}

/** A path as a person would write it from here. */
export function shown(file) {
  const relative = path.relative(process.cwd(), file);
  return relative.startsWith('..') ? file : relative;
}

/** What one can do now. */
export function banner(config, { demoKey }) {
  const queue = config.redisUrl
    ? `BullMQ on Redis at ${new URL(config.redisUrl).host}`
    : 'BullMQ on PostgreSQL (on Redis as soon as REDIS_URL is set)';
  const rows = [
    ['API', config.publicUrl],
    ['Docs', `${config.publicUrl}/docs`],
    demoKey && ['Demo key', demoKey],
    ['Jobs', queue],
    demoKey && ['Events', 'npm run listen, in a second terminal, shows them as they come'],
    ['Stop', 'Ctrl-C'],
  ];
  for (const [label, text] of rows.filter(Boolean)) say(`  ${label.padEnd(10)} ${text}`);
}
