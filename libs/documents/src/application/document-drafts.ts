import { ProductDirectory } from '@counterfoil/catalog';
import { Config } from '@counterfoil/config';
import { type Company, IdentityReader } from '@counterfoil/identity';
import {
  AppError,
  Clock,
  heavyTurn,
  type PlainDate,
  plainDateOf,
  unknownReference,
} from '@counterfoil/kernel';
import { PartyDirectory, type PartyEntry, withholdingOn } from '@counterfoil/parties';
import { Injectable } from '@nestjs/common';
import { needsAllocationNumber } from '../domain/allocation-number-threshold';
import {
  type DocumentTerms,
  draftDocument,
  type DraftDocument,
  type NewDocument,
} from '../domain/draft-document';
import { isPaidByCompany, type Withholding } from '../domain/withholding';
import { DocumentRepository } from './ports/document.repository';
import { RetainerRepository } from './ports/retainer.repository';

/**
 * Documents with more items wait for a turn, because a thousand items block the event loop for milliseconds.
 */
const ITEMS_AT_ONCE = 100;

/** Waits for a turn if computing or presenting the document would block the event loop for milliseconds. */
export async function turnFor(companyId: number, { items }: Pick<NewDocument, 'items'>): Promise<void> {
  if (items.length > ITEMS_AT_ONCE) await heavyTurn(companyId);
}

/** A draft with its issuer and recipient. */
export interface Drafted {
  readonly draft: DraftDocument;
  readonly company: Company;
  readonly entity: PartyEntry;
  /** Null if no tax is withheld from its payment. */
  readonly withholding: Withholding | null;
}

/** Computes drafts of documents for issuing and for previews. */
@Injectable()
export class DocumentDrafts {
  constructor(
    private readonly identities: IdentityReader,
    private readonly parties: PartyDirectory,
    private readonly products: ProductDirectory,
    private readonly documents: DocumentRepository,
    private readonly retainers: RetainerRepository,
    private readonly config: Config,
    private readonly clock: Clock,
  ) {}

  /**
   * @param asOf the day of issue; today by default
   * @throws AppError `VALIDATION_FAILED` for a broken rule, `UNKNOWN_REFERENCE` for an entity, product or
   * retainer that the
   *   company does not have
   */
  async draft(companyId: number, input: NewDocument, asOf?: PlainDate): Promise<Drafted> {
    const [company, entity] = await Promise.all([
      this.identities.company(companyId),
      this.parties.find(companyId, input.entityId),
    ]);
    if (!company) throw new AppError('NOT_FOUND', 'no such company');
    if (!entity) throw unknownReference('entityId', 'client or vendor');
    await this.assertKnownProducts(companyId, input);
    if (input.retainerId !== undefined && !(await this.retainers.has(companyId, input.retainerId)))
      throw unknownReference('retainerId', 'retainer');
    const creditedRate = await this.creditedRate(companyId, input);
    const terms = this.termsOf(company, entity, asOf);
    await turnFor(companyId, input);
    const draft = draftDocument(input, creditedRate === null ? terms : { ...terms, vatRate: creditedRate });
    const withholding = withholdingFor(draft, company, entity);
    return { draft: this.withAllocationNumberStatus(draft, entity), company, entity, withholding };
  }

  /** Returns the client's own terms, with the company's for those that the client has not set. */
  private termsOf(company: Company, entity: PartyEntry, asOf?: PlainDate): DocumentTerms {
    const { roundDocumentTotal: rounding } = entity;
    return {
      today: asOf ?? plainDateOf(this.clock.now()),
      vatRate: entity.specialVat ?? company.defaultVatRate,
      rounding: rounding === 'use_default' ? company.roundDocumentTotal : rounding,
      paymentTerm: {
        type: entity.paymentTermType ?? company.defaultPaymentTermType,
        days: entity.paymentTermDays ?? company.defaultPaymentTermDays,
      },
      booksClosedUntil: company.booksClosedUntil,
    };
  }

  /** Returns the VAT rate of the credited invoice, which applies even if the terms have changed since. */
  private async creditedRate(companyId: number, input: NewDocument): Promise<number | null> {
    const { refundOf = null, items } = input;
    const isNeeded = refundOf !== null && items.some(({ vatRate }) => vatRate === undefined);
    return isNeeded ? this.documents.vatRateOf(companyId, refundOf) : null;
  }

  private async assertKnownProducts(companyId: number, { items }: NewDocument): Promise<void> {
    const productIds = items.flatMap(({ productId }) => productId ?? []);
    if (productIds.length === 0) return;
    const unknown = await this.products.findUnknownIds(companyId, productIds);
    const index = items.findIndex(({ productId }) => productId !== undefined && unknown.has(productId));
    if (index >= 0) throw unknownReference(`items[${index}].productId`, 'product');
  }

  private withAllocationNumberStatus(draft: DraftDocument, { type }: PartyEntry): DraftDocument {
    const { source, thresholds } = this.config.allocationNumbers;
    const needed = source !== 'off' && needsAllocationNumber(draft, type, thresholds);
    return needed ? { ...draft, allocationNumberStatus: 'PENDING' } : draft;
  }
}

function withholdingFor(
  { type, issueDate }: DraftDocument,
  { defaultWithholdingTaxRate }: Company,
  entity: PartyEntry,
): Withholding | null {
  if (!entity.isVendor || !isPaidByCompany(type)) return null;
  return withholdingOn(issueDate, entity, defaultWithholdingTaxRate);
}
