import type { PDFDocumentProxy } from 'pdfjs-dist/legacy/build/pdf.mjs';
import { kindOfBytes } from '../file-kind';
import type { ReceiptFields } from '../reading';
import { readInvoice } from '../xml/read-invoice';
import { parseXml } from '../xml/xml-element';

const ATTACHMENTS_MAX = 20;

/** The fields of the first e-invoice among the attachments (Factur-X, ZUGFeRD), whatever it is called. */
export async function attachedInvoice(
  pdf: PDFDocumentProxy,
  today: string,
): Promise<ReceiptFields | undefined> {
  for (const bytes of await attachmentsOf(pdf)) {
    const fields = invoiceIn(bytes, today);
    if (fields) return fields;
  }
  return undefined;
}

async function attachmentsOf(pdf: PDFDocumentProxy): Promise<Uint8Array[]> {
  try {
    const attachments = (await pdf.getAttachments()) as Record<string, { content?: unknown }> | null;
    return Object.values(attachments ?? {})
      .slice(0, ATTACHMENTS_MAX)
      .map(({ content }) => content)
      .filter((content) => content instanceof Uint8Array);
  } catch {
    return [];
  }
}

/** What is attached and no invoice, or a damaged one, leaves the pages to be read. */
function invoiceIn(bytes: Uint8Array, today: string): ReceiptFields | undefined {
  try {
    return kindOfBytes(bytes) === 'xml' ? readInvoice(parseXml(bytes), today) : undefined;
  } catch {
    return undefined;
  }
}
