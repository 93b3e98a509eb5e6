import { statement } from '@counterfoil/database';
import type { ResealedRow } from '@counterfoil/secrets';
import type { SealedRefreshToken } from '../../application/ports/sealed-refresh-tokens';

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

export const NEXT_SEALED = statement<
  { readonly lastHash: Buffer; readonly limit: number },
  SealedRefreshToken
>(
  'tax_authority_tokens: next sealed',
  `select configured_hash as "configuredHash", token_sealed as "tokenSealed" from tax_authority_tokens
    where configured_hash > :lastHash order by configured_hash limit :limit`,
);

/** Skips tokens that are locked, so that it never waits for a lock while it holds others. */
export const RESEAL = statement<{ readonly changes: readonly ResealedRow<SealedRefreshToken>[] }>(
  'tax_authority_tokens: reseal',
  `with changed as (
     select * from unnest(:changes.before.configuredHash::bytea[], :changes.before.tokenSealed::text[],
       :changes.after.tokenSealed::text[]) as c (hash, token_before, token_after)
   ), held as (
     select t.configured_hash from tax_authority_tokens t join changed c
         on c.hash = t.configured_hash and c.token_before = t.token_sealed
        for no key update of t skip locked
   )
   update tax_authority_tokens t set token_sealed = c.token_after
     from held join changed c on c.hash = held.configured_hash where t.configured_hash = held.configured_hash`,
);
