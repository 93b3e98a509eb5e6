import {
  type EventSink,
  flushStore,
  startEventSink,
  type ServiceProcesses,
  type TestStore,
} from '@counterfoil/test-harness';
import { Fleet, type FleetSize } from '../fleet';

type Settings = Readonly<Record<string, string>>;

/** A fleet, and a sink in a separate process for its events. */
export class FleetSite {
  private constructor(
    private readonly store: TestStore,
    readonly service: ServiceProcesses,
    readonly fleet: Fleet,
    readonly sink: EventSink,
  ) {}

  /** @param start starts the service with settings that let it send to the sink */
  static async open(
    store: TestStore,
    size: FleetSize,
    start: (settings: Settings) => Promise<ServiceProcesses>,
  ): Promise<FleetSite> {
    const sink = await startEventSink();
    let service: ServiceProcesses | undefined;
    try {
      service = await start({
        NODE_EXTRA_CA_CERTS: sink.certificateFile,
        OUTBOUND_ALLOWED_CIDRS: '127.0.0.1/32',
        // The default in production.
        DRAIN_DELAY: '3s',
        LOG_LEVEL: 'warn',
      });
      return new FleetSite(store, service, await Fleet.start(service, size), sink);
    } catch (error) {
      await service?.stop();
      await sink.close();
      throw error;
    }
  }

  async close(): Promise<void> {
    this.fleet.close();
    await this.service.stop();
    await this.sink.close();
    if (this.store.redisUrl !== null) await flushStore(this.store);
  }
}
