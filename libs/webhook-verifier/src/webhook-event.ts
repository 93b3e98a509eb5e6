import { WebhookVerificationError } from './verification-error';

/** The types known when this version was made. An endpoint that subscribed to `*` gets later ones too. */
export type WebhookEventType =
  | 'document.created'
  | 'document.status_changed'
  | 'document.allocated'
  | 'document.cancelled'
  | 'document.refunded'
  | 'document.approval_number.assigned'
  | 'charge.succeeded'
  | 'charge.failed'
  | 'charge.captured'
  | 'charge.canceled'
  | 'refund.created'
  | 'payment_method.attached'
  | 'payment_method.detached';

/** What a newer service may say beside the values known here. */
type Later = string & Record<never, never>;

/** A document as it was when the event was written. Amounts have at most 2 decimals. */
export interface DocumentSnapshot {
  /** The public id, which `GET /documents/:id` takes. */
  readonly id: string;
  /** The number that allocations name. */
  readonly documentId: number;
  readonly type: string;
  readonly number: number;
  readonly externalId: string | null;
  readonly entityId: number;
  readonly retainerId: number | null;
  /** `YYYY-MM-DD` */
  readonly issueDate: string;
  /** ISO 8601 in UTC with milliseconds, so that later is also greater as text. */
  readonly updatedAt: string;
  readonly currency: string;
  /** Before VAT. */
  readonly amount: number;
  readonly tax: number;
  readonly totalWithTax: number;
  readonly status: 'OPEN' | 'PARTIALLY_PAID' | 'PAID' | 'CLOSED' | 'CANCELLED' | Later;
  readonly isOpen: boolean;
  readonly remainingAmount: number;
  readonly coveredAmount: number;
  readonly taxAuthorityApprovalNumber: string | null;
  readonly approvalNumberStatus: 'PENDING' | 'REFUSED' | Later | null;
  readonly cancelled: boolean;
}

/** What a receipt gave to one document. */
export interface AllocationSnapshot {
  readonly documentId: number;
  readonly id: string;
  readonly number: number;
  readonly type: string;
  readonly amount: number;
}

/** Which fields there are depends on the event's type; those of a later service are there as well. */
export interface WebhookEventData {
  /** In every `document.…` event. */
  readonly document?: DocumentSnapshot;
  /** In `document.allocated`: the allocations made now. */
  readonly allocations?: readonly AllocationSnapshot[];
  /** In `document.cancelled`. */
  readonly cancellationReason?: string | null;
  /** In `document.refunded`: the credit note. */
  readonly refundedBy?: DocumentSnapshot;
  /** In `document.status_changed`. */
  readonly reason?: 'ALLOCATION' | 'COVERED' | 'MANUAL' | Later;
  /** In `document.status_changed`: `user:<id>`, `api-key:<id>` or `system:<job>`. */
  readonly changedBy?: string;
  readonly [field: string]: unknown;
}

/** The envelope (specification: Envelope). Beyond these four fields nothing about its content is checked. */
export interface WebhookEvent {
  /** The same for every endpoint and every attempt: deduplicate on it. */
  readonly id: string;
  readonly type: WebhookEventType | Later;
  /** When the event was written, in Unix seconds. */
  readonly created: number;
  readonly data: WebhookEventData;
}

/** @throws WebhookVerificationError `malformed_body` */
export function parseEvent(body: Uint8Array): WebhookEvent {
  const value = parseJson(body);
  if (isEvent(value)) return value;
  throw new WebhookVerificationError(
    'malformed_body',
    'The body is signed rightly, but is no JSON with id, type, created and data.',
  );
}

function parseJson(body: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body));
  } catch {
    return undefined;
  }
}

function isEvent(value: unknown): value is WebhookEvent {
  if (!isObject(value)) return false;
  const { id, type, created, data } = value;
  const named = typeof id === 'string' && id !== '' && typeof type === 'string' && type !== '';
  return named && Number.isFinite(created) && isObject(data);
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
