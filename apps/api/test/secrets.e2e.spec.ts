import fs from 'node:fs';
import { databaseAt } from '@counterfoil/test-harness';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { StartClient } from './start-client';
import { cleanUp, newSurroundings, processesOf, start, type Surroundings, Tool } from './start-service';

const SECRETS_KEY = 'a-secrets-key-that-the-user-has-given-to-it';

let surroundings: Surroundings;
let tools: Tool[];

beforeEach(async () => {
  surroundings = await newSurroundings();
  tools = [];
});
afterEach(() => cleanUp(surroundings, tools));

async function startUntilReady(env: Readonly<Record<string, string>> = {}): Promise<Tool> {
  const tool = start(surroundings, env);
  tools.push(tool);
  await tool.prints('Ready in');
  return tool;
}

const kept = (file: string) => fs.readFileSync(`${surroundings.dataDir}/${file}`, 'utf8').trim();
const environmentOf = (pid: number) => fs.readFileSync(`/proc/${pid}/environ`, 'latin1');

function superuserUrl(): string {
  const [, , , port] = kept('postgres/postmaster.pid').split('\n');
  return `postgres://counterfoil:${kept('postgres.password')}@127.0.0.1:${port}/counterfoil`;
}

describe('npm start', () => {
  it('shows no secret in the environment of any process, including restarted ones', async () => {
    const tool = await startUntilReady({ SECRETS_KEY });
    const first = processesOf(surroundings);
    for (const pid of first.children) process.kill(pid, 'SIGKILL');
    await tool.prints('the API is ready again');
    await tool.prints('the worker is ready again');
    const { supervisor, children, postgres } = processesOf(surroundings);
    expect(children).toHaveLength(2);
    for (const pid of [supervisor, ...children, postgres]) {
      expect(environmentOf(pid)).toContain('DATA_DIR=');
      for (const secret of [SECRETS_KEY, kept('postgres.password'), kept('postgres.runtime.password')]) {
        expect(environmentOf(pid)).not.toContain(secret);
      }
    }
  }, 180_000);

  it('replaces the key of its data folder, in the steps for one API and one worker', async () => {
    const file = `${surroundings.dataDir}/secrets.key`;
    const restart = async (stopped: Tool): Promise<Tool> => {
      stopped.pressCtrlC();
      await stopped.exited;
      return startUntilReady();
    };
    const rotate = async (): Promise<unknown> => {
      const command = new Tool([process.execPath, 'tools/admin.mjs', 'secrets:rotate'], surroundings.env);
      tools.push(command);
      expect({ code: await command.exited, errors: command.stderr }).toMatchObject({ code: 0 });
      return JSON.parse(command.stdout);
    };
    const first = await startUntilReady();
    const client = new StartClient(surroundings);
    await client.call('POST', '/webhooks', {
      url: 'https://example.com/hooks',
      events: ['document.created'],
    });
    await client.issueInvoice();
    const cursor = await client.cursor();
    const feed = `/documents?cursor=${encodeURIComponent(cursor)}`;

    fs.writeFileSync(file, `next:${SECRETS_KEY}\nformer:${kept('secrets.key')}\n`);
    const second = await restart(first);
    expect(await rotate()).toMatchObject({
      key: 'next',
      reencrypted: 1,
      remaining: 0,
      removable: ['former'],
    });
    expect(await client.status(feed)).toBe(200);

    fs.writeFileSync(file, `next:${SECRETS_KEY}\n`);
    await restart(second);
    expect(await rotate()).toMatchObject({ rows: 1, reencrypted: 0, remaining: 0, removable: [] });
    expect(await client.status(feed)).toBe(400);
  }, 240_000);

  it('runs as a role that owns nothing, also on data of a version with a single role', async () => {
    const tool = await startUntilReady();
    const database = databaseAt(superuserUrl());
    try {
      const roles = await database.query<{ name: string; super: boolean; count: number }>(
        `select distinct usename as name, rolsuper as super, count(*) over (partition by usename)::int as count
           from pg_stat_activity join pg_roles on rolname = usename
          where application_name ~ '^(api|worker|counterfoil-(api|worker|queue))'`,
      );
      expect(roles).toEqual([{ name: 'counterfoil_runtime', super: false, count: expect.any(Number) }]);
      await database.query('drop owned by counterfoil_runtime; drop role counterfoil_runtime');
    } finally {
      await database.drop();
    }
    tool.pressCtrlC();
    await tool.exited;
    fs.rmSync(`${surroundings.dataDir}/postgres.runtime.password`);

    await startUntilReady();
    const client = new StartClient(surroundings);
    await client.issueInvoice();
    expect(await client.documentCount()).toBe(1);
    expect(fs.statSync(`${surroundings.dataDir}/postgres.runtime.password`).mode & 0o777).toBe(0o600);
  }, 180_000);
});
