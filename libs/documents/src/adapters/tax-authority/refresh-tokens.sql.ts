import { statement } from '@counterfoil/database';

/** Finds the last successor of a configured token. */
export const FIND_SUCCESSOR = statement<{ readonly configuredHash: Buffer }, { readonly sealed: string }>(
  'tax_authority_tokens: successor',
  'select token_sealed as sealed from tax_authority_tokens where configured_hash = :configuredHash',
);

/** Two encryptions of a text are never equal, so the hash identifies the token to replace. */
export const REPLACE = statement<{
  readonly configuredHash: Buffer;
  readonly previousHash: Buffer;
  readonly hash: Buffer;
  readonly sealed: string;
}>(
  'tax_authority_tokens: replace',
  `insert into tax_authority_tokens as kept (configured_hash, token_hash, token_sealed)
   values (:configuredHash, :hash, :sealed)
   on conflict (configured_hash) do update
      set token_hash = excluded.token_hash, token_sealed = excluded.token_sealed
    where kept.token_hash = :previousHash`,
);
