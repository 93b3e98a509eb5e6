// The tools' output for people: aligned lines with durations.
import os from 'node:os';
import path from 'node:path';
import { describe } from './fault.mjs';

export const say = (line) => console.log(line);

export const seconds = (sinceMs) => `${((performance.now() - sinceMs) / 1000).toFixed(1)} s`;

/** Runs one step and prints its result and duration. */
export async function step(label, work) {
  const started = performance.now();
  const detail = await work();
  say(`  ${label.padEnd(10)} ${detail} (${seconds(started)})`);
}

export function complain(error) {
  for (const line of describe(error).split('\n')) console.error(line);
}

/** The path relative to the current directory, if it is inside of it. */
export function shown(file) {
  const relative = path.relative(process.cwd(), file);
  return relative.startsWith('..') ? file : relative;
}

/**
 * Prints where the service listens and the first steps that a user can take.
 *
 * @param {object} config the service's configuration
 * @param {{ demoKey?: string, given: boolean }} options `given`: whether the operator has set the public address
 */
export function banner(config, { demoKey, given }) {
  const queue = config.redisUrl
    ? `BullMQ on Redis at ${new URL(config.redisUrl).host}`
    : 'BullMQ on PostgreSQL (on Redis as soon as REDIS_URL is set)';
  const addresses = given ? [config.publicUrl] : addressesOf(config);
  const rows = [
    ...addresses.map((address, index) => [index === 0 ? 'API' : '', address]),
    given && ['Listens on', `${config.host}, port ${config.port}`],
    !given && !config.loopbackOnly && ['Caution', 'plain HTTP: put a proxy with TLS in front of it'],
    config.console.isServed && ['Console', `${addresses[0]}/console`],
    ['Docs', `${addresses[0]}/docs`],
    config.mail.server === 'mailbox' &&
      config.loopbackOnly && [
        'Mails',
        `${addresses[0]}/mailbox shows them; none is sent until SMTP_URL is set`,
      ],
    demoKey && ['Demo key', demoKey],
    ['Jobs', queue],
    demoKey && ['Events', 'npm run listen, in another terminal, shows them as they come'],
    ['Stop', 'Ctrl-C'],
  ];
  for (const [label, text] of rows.filter(Boolean)) say(`  ${label.padEnd(10)} ${text}`);
}

/** An address at which this machine reaches the API. */
export function reachableAddress({ host, port }) {
  return addressOf({ '0.0.0.0': '127.0.0.1', '::': '127.0.0.1' }[host] ?? host, port);
}

const addressOf = (host, port) => `http://${host.includes(':') ? `[${host}]` : host}:${port}`;

/** @returns {string[]} the API's addresses: all of this machine's if it listens on all interfaces */
function addressesOf({ host, port }) {
  const families = { '0.0.0.0': ['IPv4'], '::': ['IPv4', 'IPv6'] }[host];
  const found = families
    ? Object.values(os.networkInterfaces())
        .flat()
        .filter(({ family, scopeid }) => families.includes(family) && !scopeid)
        .map(({ address }) => address)
    : [host];
  return found.map((address) => addressOf(address, port));
}
