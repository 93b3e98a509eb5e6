import { createHash } from 'node:crypto';
import type { FilterOf } from '@counterfoil/pagination';

export const AUDIT_ACTIONS = ['create', 'update', 'delete'] as const;
export type AuditAction = (typeof AUDIT_ACTIONS)[number];

/** The types of records whose changes are in the audit log. A test compares them with the database's triggers. */
export const AUDITED_ENTITIES = [
  ...(['address', 'api_key', 'charge', 'charge_operation', 'company'] as const),
  ...(['company_limit', 'company_logo', 'company_reminders', 'contact'] as const),
  ...([
    'custom_field',
    'document',
    'document_execution_status',
    'document_item',
    'document_mail',
    'document_payment',
  ] as const),
  ...([
    'document_settlement',
    'document_share',
    'exchange_rate',
    'expense',
    'file',
    'party',
    'party_contact',
  ] as const),
  ...(['payment_method', 'payment_page', 'pricelist_entry', 'product', 'product_serial'] as const),
  ...([
    'recurring_payment',
    'reminder_exemption',
    'retainer',
    'saved_report',
    'schedule',
    'session',
    'stock_movement',
    'stock_record',
  ] as const),
  ...(['supplier_invoice', 'user', 'warehouse', 'webhook_delivery', 'webhook_endpoint'] as const),
  'webhook_replay',
] as const;

/** The company of entries about the whole installation, such as published rates and migrations. */
export const INSTALLATION = 0;

/** An entry as callers see it. The columns of the record are the names in `before` and `after`. */
export interface AuditEntry {
  /** Its place in the log of the company, counted from 1. */
  readonly position: number;
  readonly at: Date;
  readonly actor: string;
  /** The role of the API key at that time. */
  readonly role: string | null;
  readonly requestId: string | null;
  readonly action: AuditAction;
  readonly entity: string;
  readonly entityId: string;
  readonly before: Readonly<Record<string, unknown>> | null;
  readonly after: Readonly<Record<string, unknown>> | null;
  /** SHA-256 of the entry and of the hash before it. */
  readonly hash: Buffer;
}

export const AUDIT_FILTERS = {
  entity: { kind: 'choice', choices: AUDITED_ENTITIES, description: 'The type of the changed record.' },
  id: { kind: 'text', max: 64, description: 'The id of the changed record.' },
  actor: {
    kind: 'text',
    max: 128,
    description:
      'Who made the change: `api-key:` and the id of a key (followed by `/session:` and the id of a session, if the call was made in one), `system:` and the name of a job or task, `command:` and the name of an admin command, `database:` and a role of PostgreSQL, or `public`.',
  },
  action: { kind: 'choice', choices: AUDIT_ACTIONS },
  from: { kind: 'time', description: 'Changed at this time or later.' },
  to: { kind: 'time', description: 'Changed at this time or earlier.' },
  requestId: { kind: 'text', max: 128, description: 'The `X-Request-Id` of the call that made the change.' },
} as const;

export type AuditFilter = FilterOf<typeof AUDIT_FILTERS>;

/** The exact content of an entry, as text, without its hash. */
export interface SealedContent {
  readonly companyId: number;
  readonly position: number;
  /** Microseconds since 1970. */
  readonly at: string;
  readonly actor: string;
  readonly role: string | null;
  readonly requestId: string | null;
  readonly action: string;
  readonly entity: string;
  readonly entityId: string;
  readonly before: string | null;
  readonly after: string | null;
}

/** An entry as the next one is chained to it. */
export interface ChainLink {
  readonly position: number;
  readonly hash: Buffer;
}

/** Precedes the first entry of a company. */
export const BEGINNING: ChainLink = { position: 0, hash: Buffer.alloc(0) };

/**
 * Chains an entry to the one before it. It is computed here and not in the database, so that nobody can replace the
 * function together with the rows.
 */
export function hashOf(previous: Buffer, entry: SealedContent): Buffer {
  const { companyId, position, at, actor, role, requestId, action, entity, entityId, before, after } = entry;
  const content = [companyId, position, at, actor, role, requestId, action, entity, entityId, before, after];
  return createHash('sha256').update(previous).update(JSON.stringify(content)).digest();
}
