import { randomBytes } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { DEMO_KEY } from '@counterfoil/test-harness';
import { StartClient } from './start-client';
import { cleanUp, isAlive, newSurroundings, start, type Surroundings, type Tool } from './start-service';
import { mountDisk, unmountDisk } from './test-disk';

const DISK = 'size=250m';
export const CHUNK = Buffer.alloc(1024 * 1024, 1);

/** `npm start` with its data on a small disk. */
export class DiskSite {
  private readonly tools: Tool[] = [];

  private constructor(private readonly surroundings: Surroundings) {}

  static async create(): Promise<DiskSite> {
    const surroundings = await newSurroundings();
    fs.mkdirSync(surroundings.dataDir, { mode: 0o711 });
    mountDisk(surroundings.dataDir, DISK);
    return new DiskSite(surroundings);
  }

  get dataDir(): string {
    return this.surroundings.dataDir;
  }

  get url(): string {
    return `http://127.0.0.1:${this.surroundings.port}`;
  }

  get client(): StartClient {
    return new StartClient(this.surroundings);
  }

  start(env: Readonly<Record<string, string>> = {}): Tool {
    const tool = start(this.surroundings, env);
    this.tools.push(tool);
    return tool;
  }

  /**
   * Leaves data with which PostgreSQL has to recover from its log at the next start.
   *
   * @returns the id of a client
   */
  async startAndKill(): Promise<number> {
    const killed = this.start();
    await killed.prints('Ready in');
    const clientId = await this.createClient();
    process.kill(killed.pid, 'SIGKILL');
    await killed.exited;
    const file = path.join(this.dataDir, 'postgres', 'postmaster.pid');
    const [postgres = ''] = fs.readFileSync(file, 'utf8').split('\n');
    process.kill(Number(postgres), 'SIGKILL');
    return clientId;
  }

  /** Fills the disk to the last block, but for some bytes. */
  fill(roomBytes = 0): void {
    const open = fs.openSync(this.ballast, 'a');
    for (let bytes = CHUNK.length; bytes >= 1;) {
      try {
        fs.writeSync(open, CHUNK, 0, bytes);
      } catch {
        bytes = Math.floor(bytes / 2);
      }
    }
    fs.closeSync(open);
    fs.truncateSync(this.ballast, fs.statSync(this.ballast).size - roomBytes);
  }

  free(): void {
    fs.rmSync(this.ballast);
  }

  async createClient(): Promise<number> {
    const acme = { name: 'Acme', type: 'COMPANY', taxId: '511111118' };
    return (await this.client.call<{ clientId: number }>('POST', '/clients/create', acme)).clientId;
  }

  async issue(entityId: number): Promise<{ readonly status: number; readonly number: number | null }> {
    // Incompressible texts, so that each document takes much space in PostgreSQL's log.
    const items = Array.from({ length: 100 }, () => ({
      ...{ description: randomBytes(240).toString('base64'), quantity: 1, unitPrice: 1 },
    }));
    const response = await fetch(`${this.url}/documents/create/TAX_INVOICE`, {
      method: 'POST',
      headers: { authorization: `Bearer ${DEMO_KEY}`, 'content-type': 'application/json' },
      body: JSON.stringify({ entityId, items }),
    });
    const { number = null } = (await response.json()) as { number?: number };
    return { status: response.status, number };
  }

  async close(): Promise<void> {
    for (const tool of this.tools) if (isAlive(tool.pid)) tool.kill('SIGTERM');
    await Promise.all(this.tools.map((tool) => tool.exited));
    unmountDisk(this.dataDir);
    await cleanUp(this.surroundings, this.tools);
  }

  private get ballast(): string {
    return path.join(this.dataDir, 'ballast');
  }
}
