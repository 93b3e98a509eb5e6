import { sum, toMoney } from '@counterfoil/kernel';
import type { DocumentType } from '../../domain/document-type';
import {
  type AllocationNumberAnswer,
  type InvoiceForAllocationNumber,
  TaxAuthorityUnavailable,
} from '../../application/ports/tax-authority';
import { type AuthorityAnswer, fieldsOf } from './authority-http';

/** Requests and responses of the approval API, version 2.0. The sources are in docs/allocation-numbers.md. */

const INVOICE_TYPES: Partial<Record<DocumentType, number>> = { TAX_INVOICE: 305, TAX_INVOICE_RECEIPT: 320 };
/**
 * Sent as the user name, because no person makes the request. Either a person's number or a name is required
 * (error 446).
 */
const USER_NAME = 'counterfoil';
const CUSTOMER_NAME_LENGTH_MAX = 50;
const REASON_LENGTH_MAX = 500;
const ERRORS_MAX = 5;
const TAX_ID = /^\d{1,9}$/;

export interface AuthorityRequest {
  readonly invoice_id: string;
  readonly invoice_type: number;
  readonly vat_number: number;
  readonly user_name: string;
  readonly invoice_reference_number: string;
  readonly customer_vat_number: number;
  readonly customer_name: string;
  readonly invoice_date: string;
  readonly invoice_issuance_date: string;
  readonly accounting_software_number: number;
  readonly amount_before_discount: number;
  readonly discount: number;
  readonly payment_amount: number;
  readonly vat_amount: number;
  readonly payment_amount_including_vat: number;
}

/** Returns the request, or null and the reason if the document cannot be sent. */
export function authorityRequest(
  invoice: InvoiceForAllocationNumber,
  softwareNumber: string | null,
): AuthorityRequest | { readonly reason: string } {
  const type = INVOICE_TYPES[invoice.type];
  const company = taxNumber(invoice.companyTaxId);
  const customer = taxNumber(invoice.customerTaxId);
  if (type === undefined) return { reason: `A ${invoice.type} gets no allocation number.` };
  if (invoice.currency !== 'ILS') return { reason: 'Allocation numbers are for documents in ILS.' };
  if (company === null) return { reason: 'The company has no tax number of up to 9 digits.' };
  if (customer === null) return { reason: 'The customer has no tax number of up to 9 digits.' };
  return {
    invoice_id: invoice.documentVisibleId,
    invoice_type: type,
    vat_number: company,
    user_name: USER_NAME,
    invoice_reference_number: String(invoice.number),
    customer_vat_number: customer,
    customer_name: [...invoice.customerName].slice(0, CUSTOMER_NAME_LENGTH_MAX).join(''),
    invoice_date: invoice.issueDate,
    invoice_issuance_date: invoice.issuedOn,
    accounting_software_number: softwareNumber === null ? company : Number(softwareNumber),
    amount_before_discount: invoice.amount,
    discount: 0,
    payment_amount: invoice.amount,
    vat_amount: invoice.tax,
    // Without the rounding of the total. The authority checks that this is the sum of amount and VAT.
    payment_amount_including_vat: toMoney(sum([invoice.amount, invoice.tax])),
  };
}

/** The authority uses numbers, so leading zeros do not matter. */
function taxNumber(text: string | null): number | null {
  const digits = (text ?? '').replace(/[\s-]/g, '');
  return TAX_ID.test(digits) && Number(digits) > 0 ? Number(digits) : null;
}

/**
 * Parses the response to a request for an allocation number. An error of the invoice is a refusal. For an
 * error of the service, of its consent or of the authority, it throws and the request is repeated. `secrets`
 * are removed from the reason, because it is logged.
 *
 * @throws TaxAuthorityUnavailable
 */
export function allocationNumberAnswer(
  { status, json }: AuthorityAnswer,
  secrets: readonly string[],
): AllocationNumberAnswer {
  const { approved, confirmation_number: confirmation, message, moreInformation } = fieldsOf(json);
  if (status === 200 && approved === true) {
    return { kind: 'assigned', allocationNumber: printedNumber(confirmation) };
  }
  const saysNo = (status === 200 && approved === false) || status === 400 || status === 422;
  const text = saysNo ? (textOf(message) ?? textOf(moreInformation)) : null;
  const reason =
    text === null ? '' : oneLine(secrets.reduce((safe, secret) => safe.replaceAll(secret, '…'), text));
  if (reason !== '') return { kind: 'refused', reason };
  throw new TaxAuthorityUnavailable(`the tax authority answered ${status} without a decision`);
}

/** Returns the last 9 digits of the confirmation number, which are printed and declared. */
function printedNumber(confirmation: unknown): string {
  const digits = typeof confirmation === 'string' ? confirmation.trim() : '';
  if (/^\d{9,64}$/.test(digits) && /[1-9]/.test(digits)) return digits.slice(-9);
  throw new TaxAuthorityUnavailable('the tax authority approved without a number');
}

/**
 * Returns the text of a message, which is a string or an object with a list of errors. Null for anything
 * else.
 */
function textOf(message: unknown): string | null {
  const { errors } = fieldsOf(message);
  if (Array.isArray(errors)) return errors.slice(0, ERRORS_MAX).map(errorText).join('; ');
  return typeof message === 'string' ? message : null;
}

function errorText(error: unknown): string {
  const { code, message, param } = fieldsOf(error);
  const parts = [scalar(code), scalar(message), scalar(param) === '' ? '' : `(${scalar(param)})`];
  return parts.filter((part) => part !== '').join(' ');
}

function scalar(value: unknown): string {
  return typeof value === 'string' || typeof value === 'number' ? String(value) : '';
}

/** Removes control characters and lone surrogates, which cannot be stored or would break the line. */
function oneLine(text: string): string {
  const clean = text.replace(/[\p{Cc}\p{Cs}\s]+/gu, ' ').trim();
  return [...clean].slice(0, REASON_LENGTH_MAX).join('');
}
