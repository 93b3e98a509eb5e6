import { createHash } from 'node:crypto';
import { DEMO_KEY, queueStores, startProcesses, type ServiceProcesses } from '@counterfoil/test-harness';
import { DescribedApi } from './described-api';
import { type Answer, closeConnections, exchange } from './http-exchange';
import { MIB } from './wire-values';

export const MOST = 25 * MIB;
export const PDF = '%PDF-1.7\n1 0 obj\nendobj\n';
export const PNG = Buffer.from('89504e470d0a1a0a0000000d49484452000000010000000108060000001f15c489', 'hex');
export const HTML = '<!doctype html><script>alert(1)</script>';
export const SVG = '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>';

export let service: ServiceProcesses;
export let api: DescribedApi;
/** The key of another company. */
export let stranger: string;

export const sha256 = (bytes: Buffer | string): string => createHash('sha256').update(bytes).digest('hex');
export const contentOf = (id: number | string, key: string | null = DEMO_KEY): Promise<Answer> =>
  exchange(service.url, {
    method: 'GET',
    path: `/files/${id}/content`,
    headers: { authorization: key === null ? null : `Bearer ${key}` },
  });

/** Starts the service before the tests of a file, and stops it after them. */
export function serveFiles(): void {
  beforeAll(async () => {
    service = await startProcesses(queueStores()[0]!);
    api = await DescribedApi.of(service);
    ({ ownerKey: stranger } = await service.createCompany('Another'));
  });

  afterAll(async () => {
    closeConnections();
    await service.stop();
  });
}
