import { statement } from '@counterfoil/database';
import type { ResealedRow } from '@counterfoil/secrets';
import type { SealedCard } from '../../application/ports/sealed-cards';

export const NEXT_SEALED = statement<{ readonly lastId: number; readonly limit: number }, SealedCard>(
  'payment_methods: next sealed',
  `select id, sealed_token as "sealedToken" from payment_methods
    where id > :lastId and sealed_token is not null order by id limit :limit`,
  { present: ['sealedToken'] },
);

/** Skips cards that are locked, so that it never waits for a lock while it holds others. */
export const RESEAL = statement<{ readonly changes: readonly ResealedRow<SealedCard>[] }>(
  'payment_methods: reseal',
  `with changed as (
     select * from unnest(:changes.before.id::bigint[], :changes.before.sealedToken::text[],
       :changes.after.sealedToken::text[]) as c (id, token_before, token_after)
   ), held as (
     select m.id from payment_methods m join changed c on c.id = m.id and c.token_before = m.sealed_token
        for no key update of m skip locked
   )
   update payment_methods m set sealed_token = c.token_after
     from held join changed c on c.id = held.id where m.id = held.id`,
);
