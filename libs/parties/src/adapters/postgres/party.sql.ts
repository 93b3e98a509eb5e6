import { statement } from '@counterfoil/database';
import type { PartyEntry } from '../../application/ports/party-directory';
import type { PartyRecord } from '../../application/ports/party.reader';
import type { PartyIds } from '../../application/ports/party.repository';
import type { VendorEntry, VendorKey } from '../../application/ports/vendor-directory';
import type { PartyRole } from '../../domain/party';
import { JOINED, type ReadRow, RECORD_COLUMNS, selectCompanyPart } from './party-columns';

/** Characters that are not compared in names, as in the index of its migration. */
const NAME_PUNCTUATION =
  '[\\s[:punct:]\\u00a0\\u00b7\\u05be\\u05f3\\u05f4\\u200e\\u200f\\u2010-\\u2015\\u2018-\\u201f\\u2026]';

interface OfCompany {
  readonly companyId: number;
}

type ById = OfCompany & { readonly id: number };

export const FIND_PARTY = statement<ById, PartyEntry>(
  'entities: find',
  `select e.id, e.visible_id as "visibleId", e.name, e.tax_id as "taxId", e.type, e.is_vendor as "isVendor",
          e.special_vat as "specialVat", e.credit_limit as "creditLimit",
          e.round_document_total as "roundDocumentTotal", e.payment_term_type as "paymentTermType",
          e.payment_term_days as "paymentTermDays", e.document_language as "documentLanguage",
          e.withholding_tax_rate as "withholdingTaxRate", e.withholding_valid_from as "withholdingValidFrom",
          e.withholding_valid_until as "withholdingValidUntil", e.withholding_base as "withholdingBase",
          case when a.id is not null then json_build_object('street', a.street, 'city', a.city,
            'houseNumber', a.house_number, 'zipCode', a.zip_code, 'country', a.country) end as address
     from entities e left join addresses a on a.id = e.address_id
    where e.company_id = :companyId and e.id = :id`,
  { prepared: true },
);

const VENDOR = `select id, visible_id as "visibleId", name
  from entities where company_id = :companyId and is_vendor`;

export const FIND_VENDOR = statement<OfCompany & { readonly key: VendorKey }, VendorEntry>(
  'entities: vendor',
  `${VENDOR} and (id = :key.id or visible_id = :key.visibleId)`,
);

/**
 * Two rows are enough to see that the tax id is ambiguous. The expression must match the index
 * `entities_vendors_plain_tax_id`.
 */
export const FIND_VENDORS = statement<OfCompany & { readonly plainTaxId: string }, VendorEntry>(
  'entities: vendors by tax id',
  `${VENDOR} and regexp_replace(tax_id_key, '[^a-z0-9]', '', 'g') = :plainTaxId limit 2`,
);

const plainNameOf = (text: string) => `regexp_replace(${text} collate "C", '${NAME_PUNCTUATION}', '', 'g')`;
const BEGINNING = plainNameOf('lower(:beginning)');

/**
 * The vendors whose names begin with this one, ignoring spaces, punctuation and case, the shortest first: those
 * with the same name and any legal form are among them. The expression must match the index
 * `entities_vendors_plain_name`.
 */
export const FIND_VENDORS_NAMED_LIKE = statement<OfCompany & { readonly beginning: string }, VendorEntry>(
  'entities: vendors by name',
  `${VENDOR} and ${BEGINNING} <> ''
     and ${plainNameOf('name_key')} between ${BEGINNING} and ${BEGINNING} || chr(1114111)
    order by length(name), id limit 100`,
);

const buildByRole = <Statement>(build: (role: PartyRole) => Statement) => ({
  vendor: build('vendor'),
  client: build('client'),
});

export const FIND_RECORD = buildByRole((role) =>
  statement<OfCompany & { readonly visibleId: string }, ReadRow<PartyRecord>>(
    `entities: ${role} record`,
    `select ${RECORD_COLUMNS}, ${selectCompanyPart(':companyId')} as company
       from entities e ${JOINED}
      where e.company_id = :companyId and e.visible_id = :visibleId and e.is_${role}`,
    { prepared: true },
  ),
);

export const GIVE_ROLE = buildByRole((role) =>
  statement<ById & { readonly at: Date }, PartyIds>(
    `entities: make ${role}`,
    `update entities set is_${role} = true, updated_at = case when is_${role} then updated_at else :at end
      where company_id = :companyId and id = :id
      returning id, visible_id as "visibleId"`,
  ),
);

export const FIND_ADDRESS = statement<ById>(
  'addresses: find',
  'select from addresses where company_id = :companyId and id = :id',
);
