import { sum, toMoney } from '@counterfoil/kernel';
import type { DocumentType } from '../../domain/document-type';
import {
  type ApprovalAnswer,
  type InvoiceForApproval,
  TaxAuthorityUnavailable,
} from '../../application/ports/tax-authority';
import { type AuthorityAnswer, fieldsOf } from './authority-http';

/** The requests and answers of the approval API, version 2.0. The sources are in docs/allocation-numbers.md. */

const INVOICE_TYPES: Partial<Record<DocumentType, number>> = { TAX_INVOICE: 305, TAX_INVOICE_RECEIPT: 320 };
/** The name to send without a person: one of the person's number and a name is required (error 446). */
const USER_NAME = 'counterfoil';
const CUSTOMER_NAME_LENGTH_MAX = 50;
const REASON_LENGTH_MAX = 500;
const ERRORS_MAX = 5;
const TAX_ID = /^\d{1,9}$/;

export interface ApprovalRequest {
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

/** Null and the reason, where the authority cannot even be asked. */
export function approvalRequest(
  invoice: InvoiceForApproval,
  softwareNumber: string | null,
): ApprovalRequest | { readonly reason: string } {
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
    // Without the rounding of the total, which has no VAT: the authority adds the two up.
    payment_amount_including_vat: toMoney(sum([invoice.amount, invoice.tax])),
  };
}

/** As the authority counts them: numbers, so that leading zeros do not matter. */
function taxNumber(text: string | null): number | null {
  const digits = (text ?? '').replace(/[\s-]/g, '');
  return TAX_ID.test(digits) && Number(digits) > 0 ? Number(digits) : null;
}

/**
 * Reads the answer to an approval request. Faults of the invoice are a refusal. Faults of ours, of our consent or of
 * theirs are not: the request is repeated. The reason is logged, so `secrets` are removed from it.
 *
 * @throws TaxAuthorityUnavailable
 */
export function approvalAnswer(
  { status, json }: AuthorityAnswer,
  secrets: readonly string[],
): ApprovalAnswer {
  const { approved, confirmation_number: confirmation, message, moreInformation } = fieldsOf(json);
  if (status === 200 && approved === true) {
    return { kind: 'assigned', approvalNumber: printedNumber(confirmation) };
  }
  const saysNo = (status === 200 && approved === false) || status === 400 || status === 422;
  const text = saysNo ? (textOf(message) ?? textOf(moreInformation)) : null;
  const reason =
    text === null ? '' : oneLine(secrets.reduce((safe, secret) => safe.replaceAll(secret, '…'), text));
  if (reason !== '') return { kind: 'refused', reason };
  throw new TaxAuthorityUnavailable(`the tax authority answered ${status} without a decision`);
}

/** A confirmation number is long; its last 9 digits are printed and declared. */
function printedNumber(confirmation: unknown): string {
  const digits = typeof confirmation === 'string' ? confirmation.trim() : '';
  if (/^\d{9,64}$/.test(digits) && /[1-9]/.test(digits)) return digits.slice(-9);
  throw new TaxAuthorityUnavailable('the tax authority approved without a number');
}

/** A message is a text, or an object with a list of errors. Null where it is neither. */
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

/** Without what cannot be stored or would break out of the line: controls, and halves of characters. */
function oneLine(text: string): string {
  const clean = text.replace(/[\p{Cc}\p{Cs}\s]+/gu, ' ').trim();
  return [...clean].slice(0, REASON_LENGTH_MAX).join('');
}
