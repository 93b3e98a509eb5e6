import { BytesMissingError, FileDirectory, ReadFile } from '@counterfoil/files';
import { AppError, BoundedCache, sharedByCallers } from '@counterfoil/kernel';
import { Log } from '@counterfoil/observability';
import { Injectable } from '@nestjs/common';
import { checkLogo, LOGO_BYTES_MAX } from './check-logo';
import type { PrintableLogo } from './ports/printable-document';

/** In bytes, of all logos that a process keeps: at least 32 of them. */
const KEPT_BYTES_MAX = 32 * LOGO_BYTES_MAX;
/** Beside the bytes of a logo, in bytes. */
const ENTRY_WEIGHT = 1_024;
/** Longer than the store of files takes at most. */
const READ_MAX_MS = 60_000;

/** Reads the logo of the company that issues a document. */
@Injectable()
export class ReadLogo {
  /** By company and SHA-256: every view of a shared document shows a logo, and the bytes of a file never change. */
  private readonly kept = new BoundedCache<PrintableLogo | null>({
    weightMax: KEPT_BYTES_MAX,
    weightOf: (_, logo) => ENTRY_WEIGHT + (logo?.bytes.length ?? 0),
    readMaxMs: READ_MAX_MS,
  });

  constructor(
    private readonly files: FileDirectory,
    private readonly readFile: ReadFile,
    private readonly log: Log,
  ) {}

  /**
   * @param fileId undefined in documents that were issued before companies had logos
   * @returns null if there is none, or if its bytes are lost: a document without its logo is better than none
   * @throws AppError `UNAVAILABLE` if the store of files is
   */
  async execute(companyId: number, fileId: number | null | undefined): Promise<PrintableLogo | null> {
    if (fileId === null || fileId === undefined) return null;
    const file = await this.files.find(companyId, fileId);
    if (!file || file.size > LOGO_BYTES_MAX) return null;
    try {
      return await this.kept.get(`${companyId}:${file.sha256}`, () =>
        sharedByCallers(() => this.read(companyId, fileId)),
      );
    } catch (error) {
      if (error instanceof LogoGone) return null;
      if (!(error instanceof BytesMissingError)) throw error;
      this.log.warn({ error, companyId, fileId }, 'the bytes of a logo are lost');
      return null;
    }
  }

  /** Logs that a document was printed without its logo, which otherwise nobody would notice. */
  noteLeftOut(companyId: number, fileId: number | null | undefined): void {
    this.log.warn({ companyId, fileId }, 'a logo cannot be shown, and is left out of documents');
  }

  private async read(companyId: number, fileId: number): Promise<PrintableLogo | null> {
    const bytes = await this.bytes(companyId, fileId);
    // It was deleted meanwhile. The next call may ask for another file with the same bytes, so this is not kept.
    if (!bytes) throw new LogoGone();
    const checked = await checkLogo(bytes);
    if ('mediaType' in checked) return { bytes, mediaType: checked.mediaType };
    // It was stored by an earlier release, whose check allowed it.
    this.noteLeftOut(companyId, fileId);
    return null;
  }

  /** Null if there is no such file, or if it is too large for a logo. */
  async bytes(companyId: number, fileId: number): Promise<Buffer | null> {
    const file = await this.files.find(companyId, fileId);
    if (!file || file.size > LOGO_BYTES_MAX) return null;
    try {
      const content = await (await this.readFile.ofCompany(companyId, fileId)).open();
      return Buffer.concat((await content.toArray()) as Buffer[]);
    } catch (error) {
      if (error instanceof AppError && error.code === 'NOT_FOUND') return null;
      throw error;
    }
  }
}

class LogoGone extends Error {}
