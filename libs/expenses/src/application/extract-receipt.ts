import { createHash } from 'node:crypto';
import { FileDirectory } from '@counterfoil/files';
import { AppError, Clock } from '@counterfoil/kernel';
import { OutboundHttp } from '@counterfoil/outbound-http';
import { VendorDirectory } from '@counterfoil/parties';
import { kindOfExtension, type Reading } from '@counterfoil/receipt-reader';
import { Injectable } from '@nestjs/common';
import { ReceiptReadings } from './ports/receipt-readings';
import { QueuedReadings, readingOf } from './queued-readings';

/** What was read, and the vendor of the company that it came from. */
export interface ExtractedReceipt {
  readonly reading: Reading;
  /** Null when no vendor of the company, or more than one, has the tax id that was read. */
  readonly suggestedVendorId: number | null;
}

/** Finds the fields of a receipt; creates nothing (specification, extract-from-file and extract-from-url). */
@Injectable()
export class ExtractReceipt {
  constructor(
    private readonly files: FileDirectory,
    private readonly vendors: VendorDirectory,
    private readonly readings: ReceiptReadings,
    private readonly queued: QueuedReadings,
    private readonly outbound: OutboundHttp,
    private readonly clock: Clock,
  ) {}

  /**
   * What was read before is answered at once.
   *
   * @throws AppError `NOT_FOUND`, and what `QueuedReadings.read` throws
   */
  async fromFile(companyId: number, fileId: number): Promise<ExtractedReceipt> {
    const file = await this.files.find(companyId, fileId);
    if (!file) throw new AppError('NOT_FOUND', 'no such file');
    const { sha256 } = file;
    const known = await this.readings.find({ companyId, sha256, saidAs: null }, this.clock.now());
    const reading = known
      ? readingOf(known)
      : await this.queued.read({ companyId, source: `file:${sha256}`, of: { fileId }, saidAs: null });
    return this.withVendor(companyId, reading);
  }

  /**
   * @param url anything; what may not be fetched is refused
   * @param fileName its extension tells how the document is read
   * @throws AppError `UNSUPPORTED_FILE_TYPE_FOR_EXTRACTION` for the extension, `URL_NOT_ALLOWED`, `FETCH_FAILED`,
   *   `PAYLOAD_TOO_LARGE`, and what `QueuedReadings.read` throws
   */
  async fromUrl(companyId: number, url: string, fileName: string): Promise<ExtractedReceipt> {
    const saidAs = kindOfExtension(fileName);
    if (!saidAs) {
      const message = `documents cannot be read by the extension of ${JSON.stringify(fileName)}`;
      throw new AppError('UNSUPPORTED_FILE_TYPE_FOR_EXTRACTION', message);
    }
    await this.outbound.assertAllowed(url);
    const source = `url:${createHash('sha256').update(`${saidAs}\n${url}`).digest('hex')}`;
    const reading = await this.queued.read({ companyId, source, of: { url }, saidAs });
    return this.withVendor(companyId, reading);
  }

  private async withVendor(companyId: number, reading: Reading): Promise<ExtractedReceipt> {
    const { vendorTaxId } = reading.fields;
    const vendor = vendorTaxId === undefined ? null : await this.vendors.findByTaxId(companyId, vendorTaxId);
    return { reading, suggestedVendorId: vendor?.id ?? null };
  }
}
