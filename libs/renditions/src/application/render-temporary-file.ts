import { createHash } from 'node:crypto';
import { purgeInBatches } from '@counterfoil/database';
import { Clock } from '@counterfoil/kernel';
import { Injectable } from '@nestjs/common';
import { PdfRenderer } from './ports/pdf-renderer';
import { TemporaryFiles } from './ports/temporary-files';
import { ReadLogo } from './read-logo';
import { type TemporaryContent, temporaryFileKey } from './temporary-content';

/** The content is soon out of date, and takes little time to make again. */
const KEPT_MS = 3_600_000;

/** Makes the PDF that a caller waits for, in the worker, and removes old ones. */
@Injectable()
export class RenderTemporaryFile {
  constructor(
    private readonly files: TemporaryFiles,
    private readonly renderer: PdfRenderer,
    private readonly logos: ReadLogo,
    private readonly clock: Clock,
  ) {}

  /** Makes nothing if the file exists. */
  async execute(companyId: number, shown: TemporaryContent): Promise<void> {
    const key = temporaryFileKey(companyId, shown);
    if ((await this.files.find(key)) !== null) return;
    const { logoFileId, issuer, ...content } = shown;
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
