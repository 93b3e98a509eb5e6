import type { DocumentType } from '@counterfoil/documents';
import type { FilterOf, Page, PageRequest } from '@counterfoil/pagination';
import type { RenditionStamp } from '@counterfoil/renditions';
import {
  MAIL_PURPOSES,
  MAIL_STATUSES,
  type MailFailure,
  type MailPurpose,
  type MailStatus,
  type RecipientKind,
} from '../../domain/mail';

/** A mail as callers see it. */
export interface MailRecord {
  readonly id: number;
  /** The call that sent it, shared by all its recipients. */
  readonly sendId: string;
  readonly documentId: number;
  readonly documentVisibleId: string;
  readonly documentType: DocumentType;
  readonly documentNumber: number;
  readonly recipient: string;
  readonly kind: RecipientKind;
  readonly purpose: MailPurpose;
  /** The mark on the pages of its PDF. */
  readonly stamp: RenditionStamp;
  readonly subject: string | null;
  readonly status: MailStatus;
  readonly failure: MailFailure | null;
  /** The last words of the server, or why there were none. Null before the first attempt. */
  readonly response: string | null;
  readonly attempts: number;
  readonly nextAttemptAt: Date | null;
  readonly createdAt: Date;
  readonly finishedAt: Date | null;
}

export const MAIL_FILTERS = {
  documentId: { kind: 'id', description: 'Mails of this document.' },
  status: { kind: 'choice', choices: MAIL_STATUSES },
  sendId: { kind: 'text', max: 36, description: 'Mails of this call.' },
  purpose: { kind: 'choice', choices: MAIL_PURPOSES },
} as const;
export type MailFilter = FilterOf<typeof MAIL_FILTERS>;

export abstract class MailReader {
  /** The newest first. */
  abstract list(
    companyId: number,
    query: { readonly filter: MailFilter; readonly page: PageRequest },
  ): Promise<Page<MailRecord>>;

  /** Null if the company has no such mail. */
  abstract find(companyId: number, id: number): Promise<MailRecord | null>;
}
