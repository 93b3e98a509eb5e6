import { SealedRows } from '@counterfoil/secrets';

/** The encrypted provider token of a card. */
export interface SealedCard {
  readonly id: number;
  readonly sealedToken: string;
}

/** The cards of all companies that have a token, for the re-encryption of the tokens. */
export abstract class SealedCards extends SealedRows<SealedCard> {}
