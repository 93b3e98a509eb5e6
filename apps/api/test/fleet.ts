import { setTimeout as sleep } from 'node:timers/promises';
import type { ServiceProcess, TestApiProcess, ServiceProcesses } from '@counterfoil/test-harness';
import { startTcpBalancer, type TcpBalancer } from './tcp-balancer';

/** Long enough that the process has handled the signal. */
const SIGNAL_MS = 100;

/** The end of a process that was asked to stop. */
export interface Stop {
  readonly exitCode: number | null;
  readonly tookMs: number;
}

export interface ApiStop extends Stop {
  /** The answer of `/health/ready` while the process was stopping. */
  readonly readiness: number;
}

export interface FleetSize {
  readonly apis: number;
  readonly workers: number;
}

/** API processes and workers of one service, behind a balancer. Each can be replaced while the others work. */
export class Fleet {
  private constructor(
    private readonly service: ServiceProcesses,
    readonly apis: TestApiProcess[],
    readonly workers: ServiceProcess[],
    private readonly balancer: TcpBalancer,
  ) {}

  /** Starts as many processes of a service as it has too few of. */
  static async start(service: ServiceProcesses, size: FleetSize): Promise<Fleet> {
    const apis = [{ url: service.url, process: service.api }];
    while (apis.length < size.apis) apis.push(await service.startApiProcess());
    const workers = [service.worker];
    while (workers.length < size.workers) workers.push(await service.startWorkerProcess());
    const balancer = await startTcpBalancer(() => apis.map(({ url }) => Number(new URL(url).port)));
    return new Fleet(service, apis, workers, balancer);
  }

  /** The URL of the balancer. */
  get url(): string {
    return `http://127.0.0.1:${this.balancer.port}`;
  }

  /**
   * Stops an API process, and then starts another in its place.
   *
   * @param root another checkout whose build it runs
   */
  async replaceApi(place: number, root?: string): Promise<ApiStop> {
    const { url, process } = this.apis[place]!;
    const since = performance.now();
    const ended = process.kill('SIGTERM');
    await sleep(SIGNAL_MS);
    // Load balancers with health checks stop using it. Requests that still arrive are served.
    const { status: readiness } = await fetch(`${url}/health/ready`);
    const exitCode = await ended;
    const tookMs = performance.now() - since;
    this.apis[place] = await this.service.startApiProcess({}, root);
    return { exitCode, tookMs, readiness };
  }

  /** Stops a worker, and then starts another in its place, in the same way. */
  async replaceWorker(place: number, root?: string): Promise<Stop> {
    const since = performance.now();
    const exitCode = await this.workers[place]!.kill('SIGTERM');
    const tookMs = performance.now() - since;
    this.workers[place] = await this.service.startWorkerProcess({}, root);
    return { exitCode, tookMs };
  }

  /** Stops all workers, so that work accumulates. */
  async stopWorkers(): Promise<void> {
    await Promise.all(this.workers.splice(0).map((worker) => worker.kill('SIGTERM')));
  }

  async startWorkers(count: number): Promise<void> {
    const starting = Array.from({ length: count }, () => this.service.startWorkerProcess());
    this.workers.push(...(await Promise.all(starting)));
  }

  /** Closes the balancer. The processes end with the service. */
  close(): void {
    this.balancer.close();
  }
}
