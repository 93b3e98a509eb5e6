import { createHash } from 'node:crypto';
import type { ExampleCall } from '../src/openapi/describe-examples';

type Json = Record<string, unknown>;

/** The address of the service in examples, which is the default of PUBLIC_URL. */
const SERVICE = 'http://127.0.0.1:3000';
const DAY_MS = 86_400_000;
const BEGIN = Date.parse('2026-11-22T09:30:00Z');

/**
 * Replaces what differs between two recordings: generated ids, secrets, times, and the addresses of the servers. The
 * same value gets the same replacement everywhere.
 *
 * @param addresses the actual addresses, each with that of the examples
 */
export function stableExamples(
  calls: readonly ExampleCall[],
  addresses: ReadonlyMap<string, string>,
): ExampleCall[] {
  const names = new StableNames(addresses);
  return calls.map((call) => names.in(shortened(call)) as ExampleCall);
}

/** Styles and scripts of a page. */
const EMBEDDED = /<(style|script)([^>]*)>[^<]*<\/\1>/g;

/** Of a PDF, whose bytes are no text. */
const PDF = /^(%PDF-\d\.\d)[^]*/;

/**
 * Shortens pages and files, and empties the list of event types: the description has their schemas and examples anyway,
 * and linters take a row with `type` and `example` for a schema with an example that does not fit.
 */
function shortened(call: ExampleCall): ExampleCall {
  if (typeof call.answer === 'string')
    return { ...call, answer: call.answer.replace(PDF, '$1 …').replace(EMBEDDED, '<$1$2>…</$1>') };
  if (call.operation !== 'webhooks.listEventTypes') return call;
  return { ...call, answer: { data: [] } };
}

class StableNames {
  private readonly known = new Map<string, string>();
  private readonly counts = new Map<string, number>();

  constructor(private readonly addresses: ReadonlyMap<string, string>) {}

  in(value: unknown, key = ''): unknown {
    if (Array.isArray(value)) return value.map((one) => this.in(one));
    if (typeof value === 'string')
      return this.inText(key === 'hash' ? createHash('sha256').digest('hex') : value);
    if (typeof value === 'number') return /^(duration|latency)/.test(key) ? 42 : value;
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(Object.entries(value as Json).map(([name, one]) => [name, this.in(one, name)]));
  }

  private inText(text: string): string {
    const whole = this.known.get(text);
    if (whole !== undefined) return whole;
    let stable = text;
    for (const [actual, example] of this.addresses) stable = stable.replaceAll(actual, example);
    for (const [kind, pattern, nameOf] of KINDS) {
      stable = stable.replace(pattern, (found) => this.nameFor(kind, found, nameOf));
    }
    return stable;
  }

  private nameFor(kind: string, found: string, nameOf: (count: number, found: string) => string): string {
    const known = this.known.get(found);
    if (known !== undefined) return known;
    const count = (this.counts.get(kind) ?? 0) + 1;
    this.counts.set(kind, count);
    const name = nameOf(count, found);
    this.known.set(found, name);
    return name;
  }
}

/** True for a time of the recording. Other times were sent. */
const isRecent = (time: string): boolean => Math.abs(Date.parse(time) - Date.now()) < DAY_MS;

const hex = (count: number, digits: number): string => count.toString(16).padStart(digits, '0');

const KINDS: readonly (readonly [
  kind: string,
  pattern: RegExp,
  nameOf: (count: number, found: string) => string,
])[] = [
  ['service', /http:\/\/127\.0\.0\.1:\d+/g, () => SERVICE],
  [
    'uuid',
    /\b[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}\b/g,
    (count) => `0b9d4c1e-7f2a-4c6d-9e3b-${hex(count, 12)}`,
  ],
  ['event', /\bevt_[0-9a-f]{32}\b/g, (count) => `evt_5c0f7a3e9b1d48c6a2e4${hex(count, 12)}`],
  ['endpoint', /\bwe_[0-9a-f]{24}\b/g, (count) => `we_7d1e90c4b2a8${hex(count, 12)}`],
  ['key', /\bsk_live_[\w-]+/g, () => 'sk_live_EXAMPLE'],
  ['secret', /\bwhsec_[\w+/=-]+/g, () => 'whsec_EXAMPLE'],
  ['page', /(?<=\/pages\/)[\w-]{16,}/g, (count) => `EXAMPLE-PAGE-KEY-${hex(count, 4)}`],
  ['share', /(?<=\/d\/)[\w-]{74}/g, (count) => `EXAMPLE-SHARE-TOKEN-${hex(count, 4)}`],
  ['cursor', /(?<![\w-])A[\w-]{60,200}(?![\w-])/g, (count) => `AcExampleOfACursor-${hex(count, 4)}`],
  ['expiry', /(?<=expires=)\d+/g, () => '1795420800'],
  ['signature', /(?<=signature=)[\w-]+/g, () => 'EXAMPLE'],
  ['created', /(?<="created":)\d+/g, () => String(BEGIN / 1000)],
  [
    'time',
    /\b\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z/g,
    (count, found) => (isRecent(found) ? new Date(BEGIN + count * 1000).toISOString() : found),
  ],
];
