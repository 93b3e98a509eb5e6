import fs from 'node:fs';
import { databaseAt } from '@counterfoil/test-harness';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { StartClient } from './start-client';
import { cleanUp, newSurroundings, processesOf, start, type Surroundings, type Tool } from './start-service';

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
