import fs from 'node:fs';
import type { Config } from '@counterfoil/config';
import { type TestDatabase, until } from '@counterfoil/test-harness';
import { NodeOutboundHttp, OutboundHttp } from '@counterfoil/outbound-http';
import type { INestApplicationContext } from '@nestjs/common';
import { Test } from '@nestjs/testing';
import { WorkerModule } from '../../src/worker.module';
import { WorkerRunner } from '../../src/worker-runner';

const LIMIT_MS = 120_000;

/** Runs the worker in this process. */
export class WorkerHere {
  private constructor(private readonly app: INestApplicationContext) {}

  /**
   * @param certificateFile the certificate that deliveries trust, like `NODE_EXTRA_CA_CERTS` at the start of
   * a process
   */
  static async start(config: Config, certificateFile: string): Promise<WorkerHere> {
    const ca = fs.readFileSync(certificateFile, 'utf8');
    const allowedNetworks = config.outboundAllowedNetworks;
    const module = await Test.createTestingModule({ imports: [WorkerModule.register(config)] })
      .overrideProvider(OutboundHttp)
      .useValue(new NodeOutboundHttp({ allowedNetworks, ca }))
      .compile();
    const app = await module.init();
    app.get(WorkerRunner).start();
    return new WorkerHere(app);
  }

  /** Waits until every event is relayed and every delivery is recorded as delivered. */
  async allDelivered(database: TestDatabase): Promise<void> {
    await until(
      'every delivery',
      async () => {
        const [open] = await database.query<{ open: boolean }>(
          `select exists (select 1 from outbox_events where relayed_at is null)
               or exists (select 1 from webhook_deliveries where state in ('pending', 'waiting')) as open`,
        );
        return open?.open === false;
      },
      LIMIT_MS,
    );
  }

  async stop(): Promise<void> {
    await this.app.get(WorkerRunner).stop();
    await this.app.close();
  }
}
