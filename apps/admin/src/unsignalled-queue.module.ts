import { JobQueue } from '@counterfoil/queue';
import { Global, Module } from '@nestjs/common';

/** A command opens no queue: the worker finds its changes in the database a few seconds later. */
class UnsignalledQueue extends JobQueue {
  protected override readonly log = { warn: () => undefined };

  override add(): Promise<void> {
    return Promise.resolve();
  }

  override withdraw(): Promise<void> {
    return Promise.resolve();
  }
}

@Global()
@Module({ providers: [{ provide: JobQueue, useClass: UnsignalledQueue }], exports: [JobQueue] })
export class UnsignalledQueueModule {}
