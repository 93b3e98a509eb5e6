import { createHash } from 'node:crypto';
import { purgeInBatches } from '@counterfoil/database';
import { Clock } from '@counterfoil/kernel';
import type { JobPayloads } from '@counterfoil/queue';
import { Injectable } from '@nestjs/common';
import { PdfRenderer } from './ports/pdf-renderer';
import { StatementFiles } from './ports/statement-files';
import { ReadLogo } from './read-logo';
import { ReadStatementContent } from './read-statement-content';
import { statementKey } from './statement-to-print';

/** A statement is soon out of date, and takes little time to make again. */
const KEPT_MS = 3_600_000;

/** Makes the PDF of a statement that a caller waits for, in the worker, and removes old ones. */
@Injectable()
export class RenderStatement {
  constructor(
    private readonly reader: ReadStatementContent,
    private readonly files: StatementFiles,
    private readonly renderer: PdfRenderer,
    private readonly logos: ReadLogo,
    private readonly clock: Clock,
  ) {}

  /** Makes nothing if the file exists. */
  async execute({ companyId, ...choice }: JobPayloads['statement.render']): Promise<void> {
    const found = await this.reader.execute(companyId, choice);
    const key = statementKey(companyId, found);
    if ((await this.files.find(key)) !== null) return;
    const { logoFileId, issuer, ...content } = found;
    const logo = await this.logos.execute(companyId, logoFileId);
    const { pdf, isLogoLeftOut } = await this.renderer.render({ ...content, issuer: { ...issuer, logo } });
    if (isLogoLeftOut) this.logos.noteLeftOut(companyId, logoFileId);
    const sha256 = createHash('sha256').update(pdf).digest('hex');
    await this.files.save(key, { content: Buffer.from(pdf), sha256 });
  }

  /** @param signal stops after the current batch */
  purge(signal: AbortSignal): Promise<void> {
    const before = new Date(this.clock.now().getTime() - KEPT_MS);
    return purgeInBatches((batch) => this.files.purge(before, batch), signal);
  }
}
