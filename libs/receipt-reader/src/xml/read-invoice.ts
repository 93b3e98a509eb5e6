import type { ReceiptFields } from '../reading';
import { isCii, readCii } from './cii-invoice';
import { readNational } from './national-formats';
import { isUbl, readUbl } from './ubl-invoice';
import { fieldsOf, type Stated } from './values';
import type { XmlElement } from './xml-element';

/**
 * Maximum depth of an invoice in an envelope (SBD, SOAP), and maximum number of envelope elements to search.
 */
const ENVELOPE_DEPTH_MAX = 5;
const ENVELOPE_ELEMENTS_MAX = 1_000;

/**
 * Returns the fields of an e-invoice, or of the first one in an envelope. Returns undefined for an unknown
 * format.
 */
export function readInvoice(root: XmlElement): ReceiptFields | undefined {
  let level: readonly XmlElement[] = [root];
  for (let depth = 0; depth < ENVELOPE_DEPTH_MAX; depth++) {
    for (const element of level) {
      const stated = statedBy(element);
      if (stated) return fieldsOf(stated);
    }
    level = level.flatMap(({ children }) => children).slice(0, ENVELOPE_ELEMENTS_MAX);
  }
  return undefined;
}

function statedBy(element: XmlElement): Stated | undefined {
  if (isCii(element)) return readCii(element);
  if (isUbl(element)) return readUbl(element);
  return readNational(element);
}
