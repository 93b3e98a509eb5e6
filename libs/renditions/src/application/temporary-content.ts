import { createHash } from 'node:crypto';
import { linesOf } from '../domain/rendition';
import type { PrintableDocument } from './ports/printable-document';
import type { PrintableStatement } from './ports/printable-statement';
import type { TemporaryFileKey } from './ports/temporary-files';

/** Pages that name the file of their logo, which never changes, in place of its bytes. */
type WithoutLogo<Pages extends PrintableDocument | PrintableStatement> = Omit<Pages, 'issuer'> & {
  readonly issuer: Omit<Pages['issuer'], 'logo'>;
  readonly logoFileId: number | null;
};

export type StatementContent = WithoutLogo<PrintableStatement>;
export type PreviewContent = WithoutLogo<PrintableDocument>;

/** All that a file shows that is made for one caller. */
export type TemporaryContent = StatementContent | PreviewContent;

/**
 * The same content has the same file. API and worker compute it separately, so all fields of it must be written in a fixed
 * order, also those that come from a job: PostgreSQL does not keep the order of the fields of a payload.
 */
export function temporaryFileKey(companyId: number, content: TemporaryContent): TemporaryFileKey {
  return { companyId, variant: createHash('sha256').update(JSON.stringify(content)).digest('hex') };
}

export function linesShown(content: TemporaryContent): number {
  return 'statement' in content ? content.statement.lines.length : linesOf(content);
}
