import { createHash } from 'node:crypto';
import { FileDirectory } from '@counterfoil/files';
import { AppError } from '@counterfoil/kernel';
import { OutboundHttp } from '@counterfoil/outbound-http';
import { VendorDirectory } from '@counterfoil/parties';
import { imageOfMediaType, isImage, kindOfExtension, type Reading } from '@counterfoil/receipt-reader';
import { Injectable } from '@nestjs/common';
import { ReceiptReadings } from './ports/receipt-readings';
import { ExtractionQueue, readingOf } from './extraction-queue';

declare module '@counterfoil/kernel' {
  interface ErrorCodes {
    MISSING_URL: true;
    EXTRACTION_TIMEOUT: true;
  }
}

/** The fields that were read, and the matching vendor of the company. */
export interface ExtractedReceipt {
  readonly reading: Reading;
  /** Null if no vendor of the company, or more than one, has the tax id or else the name that was read. */
  readonly suggestedVendorId: number | null;
}

/** Reads the fields of a receipt without creating anything (contract §12.1, §12.2). */
@Injectable()
export class ExtractReceipt {
  constructor(
    private readonly files: FileDirectory,
    private readonly vendors: VendorDirectory,
    private readonly readings: ReceiptReadings,
    private readonly extractions: ExtractionQueue,
    private readonly outbound: OutboundHttp,
  ) {}

  /**
   * Returns the cached reading if the file was read before.
   *
   * @param gone aborted when the caller disconnects
   * @throws AppError `NOT_FOUND`, and the errors of `ExtractionQueue.read`
   */
  async fromFile(companyId: number, fileId: number, gone: AbortSignal): Promise<ExtractedReceipt> {
    const file = await this.files.find(companyId, fileId);
    if (!file) throw new AppError('NOT_FOUND', 'no such file');
    const { sha256, mimeType } = file;
    const known = await this.readings.find({ companyId, sha256, declaredKind: null });
    const request = { companyId, source: `file:${sha256}`, of: { fileId }, declaredKind: null };
    const reading = known
      ? readingOf(known)
      : await this.extractions.read({ ...request, isImage: imageOfMediaType(mimeType) !== undefined }, gone);
    return this.withVendor(companyId, reading);
  }

  /**
   * @param document.url any text; a forbidden URL is refused
   * @param document.fileName its extension determines the declared kind
   * @param gone aborted when the caller disconnects
   * @throws AppError `UNSUPPORTED_FILE_TYPE_FOR_EXTRACTION` for the extension, `URL_NOT_ALLOWED`,
   * `FETCH_FAILED`,
   *   `PAYLOAD_TOO_LARGE`, and the errors of `ExtractionQueue.read`
   */
  async fromUrl(
    companyId: number,
    { url, fileName }: { readonly url: string; readonly fileName: string },
    gone: AbortSignal,
  ): Promise<ExtractedReceipt> {
    const declaredKind = kindOfExtension(fileName);
    if (!declaredKind) {
      const message = `documents with this extension cannot be read: ${JSON.stringify(fileName)}`;
      throw new AppError('UNSUPPORTED_FILE_TYPE_FOR_EXTRACTION', message);
    }
    await this.outbound.assertAllowed(url);
    const source = `url:${createHash('sha256').update(`${declaredKind}\n${url}`).digest('hex')}`;
    const request = { companyId, source, of: { url }, declaredKind, isImage: isImage(declaredKind) };
    const reading = await this.extractions.read(request, gone);
    return this.withVendor(companyId, reading);
  }

  private async withVendor(companyId: number, reading: Reading): Promise<ExtractedReceipt> {
    const { vendorTaxId, vendorName } = reading.fields;
    const byTaxId = vendorTaxId === undefined ? null : await this.vendors.findByTaxId(companyId, vendorTaxId);
    const isByName = byTaxId === null && vendorName !== undefined;
    const vendor = isByName ? await this.vendors.findByName(companyId, vendorName) : byTaxId;
    return { reading, suggestedVendorId: vendor?.id ?? null };
  }
}
