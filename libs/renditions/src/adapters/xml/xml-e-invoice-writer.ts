import { Injectable } from '@nestjs/common';
import XmlBuilder from 'fast-xml-builder';
import type { EInvoice } from '../../application/ports/e-invoice';
import { EInvoiceWriter } from '../../application/ports/e-invoice-writer';
import type { EInvoiceSyntax } from '../../domain/rendition';
import { ciiInvoice } from './cii-invoice';
import { ublInvoice } from './ubl-invoice';
import type { XmlElement } from './xml-content';

const MAPPINGS: Readonly<Record<EInvoiceSyntax, (invoice: EInvoice) => XmlElement>> = {
  cii: ciiInvoice,
  ubl: ublInvoice,
};

@Injectable()
export class XmlEInvoiceWriter extends EInvoiceWriter {
  private readonly builder = new XmlBuilder({
    ignoreAttributes: false,
    attributeNamePrefix: '@',
    suppressEmptyNode: true,
    format: true,
  });

  override write(invoice: EInvoice, syntax: EInvoiceSyntax): Buffer {
    const declaration = { '?xml': { '@version': '1.0', '@encoding': 'UTF-8' } };
    return Buffer.from(this.builder.build({ ...declaration, ...MAPPINGS[syntax](invoice) }));
  }
}
