import { within } from '@counterfoil/database';
import { heavyTurn, slicesOf, type Transaction } from '@counterfoil/kernel';
import { Injectable } from '@nestjs/common';
import { PricelistRepository } from '../../application/ports/pricelist.repository';
import type { PricelistEntry } from '../../domain/pricelist';
import { LOCK, REMOVE_OTHERS, WRITE } from './pricelist.sql';

@Injectable()
export class PostgresPricelistRepository extends PricelistRepository {
  override async replace(
    tx: Transaction,
    companyId: number,
    entityId: number,
    entries: readonly PricelistEntry[],
  ): Promise<void> {
    // Serialize before taking the lock, since it takes several turns of the event loop.
    const parts = await serializeInParts(companyId, entries);
    const statements = within(tx);
    await statements.rows(LOCK, { entityId });
    const productIds = entries.map(({ productId }) => productId);
    await statements.rows(REMOVE_OTHERS, { companyId, entityId, productIds });
    for (const part of parts) await statements.rows(WRITE, { companyId, entityId, entries: part });
  }
}

/**
 * Entries serialized in one turn of the event loop and sent in one statement. With six tiers each: a few ms.
 */
const PART_SIZE = 500;

async function serializeInParts(companyId: number, entries: readonly PricelistEntry[]): Promise<string[]> {
  const parts: string[] = [];
  let position = 0;
  for (const slice of slicesOf(entries, PART_SIZE)) {
    await heavyTurn(companyId);
    parts.push(JSON.stringify(slice.map((entry) => ({ ...entry, position: position++ }))));
  }
  return parts;
}
