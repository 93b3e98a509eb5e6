import { AppError, type Transaction } from '@counterfoil/kernel';
import { Injectable } from '@nestjs/common';
import { type StartedOperation, IdempotentOperations } from './idempotent-operations';
import { CardLookup } from './card-lookup';
import { startTimes } from './provider-requests';
import { ChargeRepository, PageTaken } from './ports/charge.repository';
import { PaymentMethodRepository } from './ports/payment-method.repository';
import { type PaymentPageRow, PaymentsReader } from './ports/payments.reader';

/**
 * Anyone with the address of a page may try to pay, and each attempt is reported as an event, so declined
 * attempts are limited.
 */
const DECLINED_MAX = 20;

/** Charges the card of a payer for a payment page. The card is not saved. */
@Injectable()
export class PayPage {
  constructor(
    private readonly operations: IdempotentOperations,
    private readonly reader: PaymentsReader,
    private readonly providers: CardLookup,
    private readonly methods: PaymentMethodRepository,
    private readonly charges: ChargeRepository,
  ) {}

  /**
   * @throws AppError `NOT_FOUND`, `VALIDATION_FAILED` for an unknown token, `INVALID_STATE` if the page is
   * paid or another
   *   payment is in progress, `LIMIT_REACHED` after too many declined attempts
   */
  async execute(pageKey: string, providerToken: string): Promise<StartedOperation> {
    const page = await this.reader.paymentPage(pageKey);
    if (!page) throw new AppError('NOT_FOUND', 'no such payment page');
    try {
      return await this.begin(page, providerToken);
    } catch (error) {
      if (!(error instanceof PageTaken)) throw error;
      throw new AppError('INVALID_STATE', 'the page has been paid, or a payment is in progress');
    }
  }

  private async begin(page: PaymentPageRow, providerToken: string): Promise<StartedOperation> {
    const { id: paymentPageId, companyId, provider, amount, currency, entityId } = page;
    const card = await this.providers.find({ provider, providerToken, entityId });
    const write = async (tx: Transaction, now: Date): Promise<StartedOperation> => {
      if ((await this.charges.countDeclinedOn(tx, companyId, paymentPageId)) >= DECLINED_MAX)
        throw new AppError('LIMIT_REACHED', 'too many payment attempts on this page; request a new page');
      const method = await this.methods.insert(tx, companyId, { ...card, saved: false, createdAt: now });
      const newCharge = { tokenId: method.id, paymentPageId, entityId, documentId: null, amount, currency };
      const charge = await this.charges.insert(tx, companyId, newCharge, now);
      const newOperation = { chargeId: charge.id, kind: 'SALE', amount, ...startTimes(now) } as const;
      return { charge, operation: await this.charges.insertOperation(tx, companyId, newOperation) };
    };
    return this.operations.begin(companyId, null, { write });
  }
}
