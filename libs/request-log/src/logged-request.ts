import type { FilterOf } from '@counterfoil/pagination';

/** A request that was answered, without anything that its caller sent but the ids of its path. */
export interface AnsweredRequest {
  readonly companyId: number;
  readonly apiKeyId: number;
  readonly at: Date;
  readonly method: string;
  /** The path of the description, such as `/documents/id/{visibleId}`. */
  readonly route: string;
  /** The ids of the path by name; null if there are none. */
  readonly ids: Readonly<Record<string, string>> | null;
  readonly status: number;
  /** Null for a success. */
  readonly errorCode: string | null;
  readonly durationMs: number;
  readonly requestId: string;
}

export type LoggedRequest = Omit<AnsweredRequest, 'companyId'> & { readonly id: number };

export const REQUEST_FILTERS = {
  requestId: { kind: 'text', max: 128, description: 'The `X-Request-Id` of the answer.' },
  route: {
    kind: 'text',
    max: 200,
    description: 'The path as in this description, such as `/documents/id/{visibleId}`.',
  },
  status: { kind: 'id', description: 'The HTTP status. 499: the caller hung up before the answer.' },
  from: { kind: 'time', description: 'Received at this time or later.' },
  to: { kind: 'time', description: 'Received at this time or earlier.' },
} as const;

export type RequestFilter = FilterOf<typeof REQUEST_FILTERS>;
