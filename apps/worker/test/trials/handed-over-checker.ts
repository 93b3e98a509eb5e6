import { createHash } from 'node:crypto';
import type { ReceivedMail, TestDatabase } from '@counterfoil/test-harness';
import { simpleParser } from 'mailparser';

export interface Verdict {
  /** Rows of documents, and the highest number: without gaps, both are the same. */
  readonly issued: number;
  readonly numbers: number;
  /** Documents that one client call made twice. */
  readonly issuedTwice: number;
  readonly mails: number;
  readonly accepted: number;
  readonly uncertain: number;
  /** Of the uncertain ones. Their sender has to ask. */
  readonly uncertainAndNotReceived: number;
  readonly failed: number;
  /** Calls to send that queued the mails of a document twice. */
  readonly sentTwice: number;
  readonly receivedTwice: number;
  readonly acceptedAndNotReceived: number;
  /** Of one document. */
  readonly pdfsMax: number;
  /** Received PDFs that are not the stored file of their document. */
  readonly otherPdfs: number;
}

export interface HandedOver extends Verdict {
  readonly documents: number;
  readonly calls: number;
  readonly retries: number;
  readonly killed: { readonly api: number; readonly worker: number };
  readonly recipients: number;
}

interface Row {
  readonly documentId: number;
  readonly sendId: string;
  readonly recipient: string;
  readonly status: string;
  readonly failure: string | null;
}

/** Compares what the mail server got with the rows of documents, renditions and mails. */
export async function judge(database: TestDatabase, received: readonly ReceivedMail[]): Promise<Verdict> {
  const [documents] = await database.query<Pick<Verdict, 'issued' | 'numbers' | 'issuedTwice'>>(
    `select count(*)::int as issued, max(number)::int as numbers,
            (count(*) - count(distinct external_id))::int as "issuedTwice" from documents`,
  );
  const [renditions] = await database.query<{ most: number }>(
    'select max(count)::int as most from (select count(*) from renditions group by document_id) of_documents',
  );
  const stored = await database.query<{ documentId: number; sha256: string }>(
    `select document_id::int as "documentId", encode(sha256, 'hex') as sha256 from renditions`,
  );
  const rows = await database.query<Row>(
    `select document_id::int as "documentId", send_id as "sendId", recipient, status, failure from document_mails`,
  );
  const got = received.map(({ messageId, recipient }) => `${messageId.slice(1, 37)} ${recipient}`);
  const unique = new Set(got);
  const accepted = rows.filter(({ status }) => status === 'accepted');
  const documentOf = new Map(rows.map(({ sendId, documentId }) => [sendId, documentId]));
  const hashes = new Map(stored.map(({ documentId, sha256 }) => [documentId, sha256]));
  let otherPdfs = 0;
  for (const mail of received) {
    const { attachments } = await simpleParser(mail.raw);
    const sha256 = createHash('sha256')
      .update(attachments[0]?.content ?? '')
      .digest('hex');
    if (hashes.get(documentOf.get(mail.messageId.slice(1, 37)) ?? 0) !== sha256) otherPdfs += 1;
  }
  const uncertain = rows.filter(({ failure }) => failure === 'uncertain');
  const notReceived = (mails: readonly Row[]) =>
    mails.filter(({ sendId, recipient }) => !unique.has(`${sendId} ${recipient}`)).length;
  return {
    ...{ issued: 0, numbers: 0, issuedTwice: 0, ...documents },
    mails: rows.length,
    accepted: accepted.length,
    uncertain: uncertain.length,
    uncertainAndNotReceived: notReceived(uncertain),
    failed: rows.filter(({ failure }) => failure !== null && failure !== 'uncertain').length,
    sentTwice: documentOf.size - new Set(documentOf.values()).size,
    receivedTwice: got.length - unique.size,
    acceptedAndNotReceived: notReceived(accepted),
    pdfsMax: renditions?.most ?? 0,
    otherPdfs,
  };
}
