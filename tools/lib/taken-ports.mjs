// Explains which ports are taken and by which process, and how to start beside it.
import net from 'node:net';
import { portOwner } from './port-owner.mjs';

const COMMAND_LENGTH_MAX = 100;
/** The distance of the proposed ports, which is easy to remember. */
const PORT_STEP = 100;
const PORT_MAX = 65_535;
const PROGRAM = /(?:^|[\s\\/])dist[\\/]apps[\\/](api|worker)[\\/]src[\\/]main\.js$/;
const NAMES = { api: 'API', worker: 'worker' };

/**
 * @typedef {{ name: string, port: number, host: string }} Listener a port with the variable that sets it
 */

/**
 * @param {Listener[]} taken at least one
 * @param {Listener[]} wanted all of them
 * @returns {Promise<string[]>} a line for each port, and one with the way out
 */
export async function explainTakenPorts(taken, wanted) {
  const lines = taken.map(
    ({ name, port, host }) =>
      `port ${port} on ${host} (${name}) is taken by ${describeOwner(portOwner(port))}`,
  );
  const settings = await freeSettings(taken, wanted);
  return [...lines, `stop what listens there, or start beside it: ${settings.join(' ')} npm start`];
}

function describeOwner(owner) {
  if (!owner) return 'a process that this user cannot see';
  const { pid, command, folder } = owner;
  const [, app] = PROGRAM.exec(command) ?? [];
  const what = app ? `the ${NAMES[app]} of a Counterfoil (pid ${pid})` : `pid ${pid} (${shortened(command)})`;
  return folder === null ? what : `${what} in ${printable(folder)}`;
}

function shortened(command) {
  const characters = [...printable(command)];
  if (characters.length <= COMMAND_LENGTH_MAX) return characters.join('');
  return `${characters.slice(0, COMMAND_LENGTH_MAX).join('')}…`;
}

/** A process chooses its command line, which could contain control sequences of the terminal. */
const printable = (text) => text.replace(/\p{Cc}/gu, ' ');

/** Settings of other ports for those that are taken. Ports that were chosen and are free stay as they are. */
async function freeSettings(taken, wanted) {
  const avoided = new Set(wanted.map(({ port }) => port));
  const settings = wanted
    .filter(({ name }) => process.env[name] && !taken.some((one) => one.name === name))
    .map(({ name, port }) => `${name}=${port}`);
  for (const { name, port, host } of taken) {
    const free = await freePortNear(port, host, avoided);
    avoided.add(free);
    settings.push(`${name}=${free}`);
  }
  return settings;
}

async function freePortNear(port, host, avoided) {
  for (let candidate = port + PORT_STEP; candidate <= PORT_MAX; candidate += PORT_STEP) {
    if (!avoided.has(candidate) && (await tryPort(candidate, host)) !== null) return candidate;
  }
  return tryPort(0, host);
}

/** @returns {Promise<number | null>} the port, or another free one for 0; null if it is not free */
function tryPort(port, host) {
  return new Promise((resolve) => {
    const server = net.createServer();
    server.once('error', () => resolve(null));
    server.listen({ port, host, exclusive: true }, () => {
      const { port: opened } = server.address();
      server.close(() => resolve(opened));
    });
  });
}
