import { AUDIT_ACTIONS, AUDITED_ENTITIES } from '@counterfoil/audit-log';
import { PRICING_MODES, PRODUCT_SORTS, QUOTE_SOURCES, TIER_TYPES, TIERS_MODES } from '@counterfoil/catalog';
import { APPLIES_TO, FIELD_TYPES } from '@counterfoil/definitions';
import {
  ALLOCATION_NUMBER_STATUSES,
  DOCUMENT_STATUSES,
  DOCUMENT_TYPES,
  PAYMENT_MEANS,
  RETAINER_DOCUMENT_TYPES,
} from '@counterfoil/documents';
import { EVENT_CATALOGUE } from '@counterfoil/event-catalogue';
import { EXPENSE_SORTS, RATE_UNITS } from '@counterfoil/expenses';
import { TOTAL_ROUNDINGS } from '@counterfoil/identity';
import { MOVEMENT_SORTS, MOVEMENT_TYPES } from '@counterfoil/inventory';
import { DOCUMENT_LANGUAGES, INTERVALS, PAYMENT_TERM_TYPES, ROLES } from '@counterfoil/kernel';
import { MAIL_FAILURES, MAIL_PURPOSES, MAIL_STATUSES } from '@counterfoil/mail';
import { PARTY_ROUNDINGS, PARTY_SORTS, PARTY_TYPES, WITHHOLDING_BASES } from '@counterfoil/parties';
import { CHARGE_STATUSES, OPERATION_KINDS, PAYMENT_PAGE_STATUSES } from '@counterfoil/payments';
import { RENDITION_STAMPS } from '@counterfoil/renditions';
import { ATTEMPT_FAILURES, DELIVERY_STATES } from '@counterfoil/webhooks';
import { DOCUMENT_TYPES_IN_PATHS } from '../documents/document-types-in-paths';
import { RECORDED_TYPES } from '../documents/documents.schemas';
import { RATE_SOURCES } from '../exchange-rates/exchange-rates.schemas';
import { EXTRACTION_SOURCES } from '../expenses/extraction.schemas';
import { OPERATION_STATES } from '../gateway/charges.schemas';
import { ERROR_STATUS } from '../http/error-body';
import { SUPPLIER_INVOICE_STATUSES } from '../supplier-invoices/supplier-invoices.schemas';
import type { Json } from './map-schemas';

/** The values of each named enum. A schema with the same values refers to it, wherever it is. */
const VALUES: Readonly<Record<string, readonly (string | number)[]>> = {
  AllocationNumberStatus: ALLOCATION_NUMBER_STATUSES,
  AttemptFailure: ATTEMPT_FAILURES,
  AuditAction: AUDIT_ACTIONS,
  AuditedEntity: AUDITED_ENTITIES,
  ChargeOperationKind: OPERATION_KINDS,
  ChargeOperationState: OPERATION_STATES,
  ChargeStatus: CHARGE_STATUSES,
  CustomFieldRecord: APPLIES_TO,
  CustomFieldType: FIELD_TYPES,
  DeliveryState: DELIVERY_STATES,
  DocumentLanguage: DOCUMENT_LANGUAGES,
  DocumentStamp: RENDITION_STAMPS,
  DocumentStatus: DOCUMENT_STATUSES,
  DocumentType: DOCUMENT_TYPES,
  DocumentTypeInPath: DOCUMENT_TYPES_IN_PATHS,
  ErrorCode: Object.keys(ERROR_STATUS),
  EventType: EVENT_CATALOGUE.types,
  ExpenseSort: EXPENSE_SORTS,
  ExtractionSource: EXTRACTION_SOURCES,
  Interval: INTERVALS,
  MailFailure: MAIL_FAILURES,
  MailPurpose: MAIL_PURPOSES,
  MailStatus: MAIL_STATUSES,
  MovementSort: MOVEMENT_SORTS,
  MovementType: MOVEMENT_TYPES,
  PartyRounding: PARTY_ROUNDINGS,
  PartySort: PARTY_SORTS,
  PartyType: PARTY_TYPES,
  PaymentMeans: PAYMENT_MEANS,
  PaymentPageStatus: PAYMENT_PAGE_STATUSES,
  PaymentTermType: PAYMENT_TERM_TYPES,
  PriceTierType: TIER_TYPES,
  PriceTiersMode: TIERS_MODES,
  PricingMode: PRICING_MODES,
  ProductSort: PRODUCT_SORTS,
  QuoteSource: QUOTE_SOURCES,
  RateSource: RATE_SOURCES,
  RateUnit: RATE_UNITS,
  RecordedDocumentType: RECORDED_TYPES,
  ResolvedChargeStatus: CHARGE_STATUSES.filter((status) => status !== 'PENDING'),
  RetainerDocumentType: RETAINER_DOCUMENT_TYPES,
  Role: ROLES,
  SortOrder: ['asc', 'desc'],
  SupplierInvoiceStatus: SUPPLIER_INVOICE_STATUSES,
  TotalRounding: TOTAL_ROUNDINGS,
  WithholdingBasis: WITHHOLDING_BASES,
};

const keyOf = (values: readonly unknown[]): string => JSON.stringify(values);

const NAMES: ReadonlyMap<string, string> = new Map(
  Object.entries(VALUES).map(([name, values]) => [keyOf(values), name]),
);

/** The components of the named enums. */
export const ENUM_SCHEMAS: Readonly<Record<string, Json>> = Object.fromEntries(
  Object.entries(VALUES).map(([name, values]) => {
    const type = values.every((value) => typeof value === 'number') ? 'integer' : 'string';
    return [name, { type, enum: [...values] }];
  }),
);

/** Replaces the values of a named enum by a reference to it. */
export function withNamedEnum(schema: Json): Json {
  const { enum: values, type: _, ...rest } = schema;
  if (!Array.isArray(values)) return schema;
  const name = NAMES.get(keyOf(values.filter((value) => value !== null)));
  if (name === undefined) return schema;
  const reference = { $ref: `#/components/schemas/${name}` };
  return values.includes(null)
    ? { anyOf: [reference, { type: 'null' }], ...rest }
    : { ...reference, ...rest };
}
