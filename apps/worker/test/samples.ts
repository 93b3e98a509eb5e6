import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import type { Answered, TestService } from '@counterfoil/test-harness';

const SAMPLES = path.resolve(__dirname, '../../../libs/receipt-reader/samples');

export const sample = (name: string): Buffer => fs.readFileSync(path.join(SAMPLES, name));

/** The true fields of the samples. If there is a list, any of its values is right. */
export const TRUTH = JSON.parse(sample('truth.json').toString()) as Readonly<
  Record<string, Readonly<Record<string, unknown>>>
>;

export interface Extraction {
  readonly success?: boolean;
  readonly expenseData?: Readonly<Record<string, unknown>>;
  readonly confidence?: Readonly<Record<string, number>>;
  readonly source?: string;
  readonly suggestedVendorId?: number;
  readonly code?: string;
  readonly error?: string;
}

/** Returns a unique text receipt. */
export const textReceipt = (number: number | string): string =>
  [
    'CORNER STATIONERY LTD',
    '12 Market Street, London',
    'VAT No: GB 999 9999 73',
    '',
    `Invoice No: INV-${number}`,
    'Date: 12/03/2026',
    '',
    'Paper A4                  50.00',
    'Pens                      50.00',
    'Subtotal                 100.00',
    'VAT 20%                   20.00',
    'Total GBP                120.00',
    '',
  ].join('\n');

/** The fields of a text receipt, except for its number. */
export const FOUND = {
  vendorName: 'CORNER STATIONERY LTD',
  date: '2026-03-12',
  currency: 'GBP',
  total: 120,
  tax: 20,
};

let numbered = 0;
/** Returns a text receipt that has not been read yet. */
export const fresh = (): string => textReceipt(`T${Date.now()}${(numbered += 1)}`);

export const extract = (service: TestService, fileId: number, key?: string): Promise<Answered<Extraction>> =>
  service.request<Extraction>('GET', `/expenses/extract-from-file/${fileId}`, undefined, key);

/** Returns the state of the requests to read a file. */
export const requestsFor = ({ database }: TestService, fileId: number) =>
  database.query<{ attempts: number; finished: boolean }>(
    'select attempts, outcome is not null as finished from reading_requests where file_id = $1',
    [fileId],
  );

/** Returns the number of documents that the reader of a worker has received, from its metrics. */
export async function readingsBy(metricsPort: number): Promise<number> {
  const text = await (await fetch(`http://127.0.0.1:${metricsPort}/metrics`)).text();
  const counts = text.matchAll(/^counterfoil_receipt_reading_seconds_count\{.*\} (\d+)$/gm);
  return [...counts].reduce((sum, [, count]) => sum + Number(count), 0);
}

/**
 * Returns the reader processes of a worker: the leaves of the process tree, below the processes of the
 * sandbox.
 */
export function readersOf(pid: number): number[] {
  return childrenOf(pid).flatMap((child) => {
    const below = readersOf(child);
    return below.length > 0 ? below : [child];
  });
}

function childrenOf(pid: number): number[] {
  try {
    const listed = execFileSync('ps', ['--no-headers', '-o', 'pid=', '--ppid', String(pid)]).toString();
    return listed.trim().split(/\s+/).map(Number);
  } catch {
    return [];
  }
}
