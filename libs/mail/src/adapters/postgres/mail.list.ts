import type { ListDefinition } from '@counterfoil/lists';
import type { MailFilter } from '../../application/ports/mail.reader';

/** Columns of the rows `m` of `document_mails`, with their document `d`. */
export const MAIL_COLUMNS = `m.id, m.send_id as "sendId", m.document_id as "documentId",
  d.visible_id as "documentVisibleId", d.type as "documentType", d.number as "documentNumber", m.recipient, m.kind,
  m.purpose, m.stamp, m.subject, m.status, m.failure, m.response, m.attempts,
  m.next_attempt_at as "nextAttemptAt", m.created_at as "createdAt", m.finished_at as "finishedAt"`;

export const MAILS: ListDefinition<MailFilter, 'newest'> = {
  name: 'mails',
  from: 'document_mails m',
  id: 'm.id',
  scope: 'm.company_id = $1',
  filters: {
    documentId: 'm.document_id = ?',
    status: 'm.status = ?',
    sendId: 'm.send_id = ?',
    purpose: 'm.purpose = ?',
  },
  sorts: { newest: ['m.created_at', 'm.id'] },
  rows: {
    columns: MAIL_COLUMNS,
    joins: 'left join document_mails m on m.id = page.id left join documents d on d.id = m.document_id',
  },
};
