import { spawnSync } from 'node:child_process';
import { Redis } from 'ioredis';
import { freePorts } from './free-ports';
import { SideProcess } from './side-process';
import { until } from './until';

/** A separate in-memory Redis of the test. */
export interface OwnRedis {
  readonly url: string;
  /** Makes it a replica: from now on it refuses writes and keeps its connections. */
  follow(other: OwnRedis): Promise<void>;
  stop(): Promise<void>;
}

/** Whether this machine has the program `redis-server`. */
export function hasOwnRedis(): boolean {
  return spawnSync('redis-server', ['--version']).status === 0;
}

export async function startOwnRedis(): Promise<OwnRedis> {
  const [port] = await freePorts(1);
  const side = SideProcess.start('redis-process.mjs');
  await side.call('start', port);
  const url = `redis://127.0.0.1:${port}`;
  const client = new Redis(url, { maxRetriesPerRequest: null });
  client.on('error', () => undefined);
  await until('the test Redis', async () => (await client.ping()) === 'PONG');
  return {
    url,
    follow: async (other) => {
      const { hostname, port: otherPort } = new URL(other.url);
      await client.replicaof(hostname, otherPort);
    },
    stop: () => {
      client.disconnect();
      return side.close();
    },
  };
}
