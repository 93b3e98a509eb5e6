import type { IssuedReference } from '@counterfoil/documents';
import type { Transaction } from '@counterfoil/kernel';
import { Injectable } from '@nestjs/common';
import { hasOneOriginal, type RenditionStamp } from '../domain/rendition';
import { Originals } from './ports/originals';

/** Chooses the stamp of a document that is handed over by a mail or a link (contract §8.17, §8.18). */
@Injectable()
export class StampHandOver {
  constructor(private readonly originals: Originals) {}

  /**
   * The first hand-over has the original, and later ones are copies, unless the caller has asked for a stamp.
   *
   * @param tx the transaction that hands over: if it rolls back, the original has not been taken
   * @param asked null if the caller leaves it to the service
   */
  async execute(
    tx: Transaction,
    companyId: number,
    { id, type }: IssuedReference,
    asked: RenditionStamp | null,
  ): Promise<RenditionStamp> {
    if (asked === 'copy') return asked;
    if (!hasOneOriginal(type)) return 'original';
    const isFirst = await this.originals.take(tx, companyId, id);
    return asked ?? (isFirst ? 'original' : 'copy');
  }
}
