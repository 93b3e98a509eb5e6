import type { PDFDocumentProxy } from 'pdfjs-dist/legacy/build/pdf.mjs';
import { kindOfBytes } from '../file-kind';
import type { ReceiptFields } from '../reading';
import { readInvoice } from '../xml/read-invoice';
import { parseXml } from '../xml/xml-element';

const ATTACHMENTS_MAX = 20;

/**
 * Returns the fields of the first e-invoice among the attachments (Factur-X, ZUGFeRD), whatever its name, or
 * undefined.
 */
export async function attachedInvoice(pdf: PDFDocumentProxy): Promise<ReceiptFields | undefined> {
  for (const id of await attachmentsOf(pdf)) {
    const fields = await invoiceIn(pdf, id);
    if (fields) return fields;
  }
  return undefined;
}

async function attachmentsOf(pdf: PDFDocumentProxy): Promise<string[]> {
  try {
    const attachments = await pdf.getAttachments();
    return [...(attachments?.keys() ?? [])].slice(0, ATTACHMENTS_MAX);
  } catch {
    return [];
  }
}

/** If an attachment is not an invoice or is damaged, the pages are read instead. */
async function invoiceIn(pdf: PDFDocumentProxy, id: string): Promise<ReceiptFields | undefined> {
  try {
    const bytes: unknown = await pdf.getAttachmentContent(id);
    const isXml = bytes instanceof Uint8Array && kindOfBytes(bytes) === 'xml';
    return isXml ? readInvoice(parseXml(bytes)) : undefined;
  } catch {
    return undefined;
  }
}
