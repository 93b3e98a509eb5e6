import { statement } from '@counterfoil/database';
import type { ResealedRow } from '@counterfoil/secrets';
import type { SealedEndpoint } from '../../application/ports/sealed-endpoints';

export const NEXT_SEALED = statement<{ readonly lastId: string; readonly limit: number }, SealedEndpoint>(
  'webhook_endpoints: next sealed',
  `select id, secret_sealed as "secretSealed", former_secrets::text as "formerSecrets"
     from webhook_endpoints where id > :lastId order by id limit :limit`,
);

/**
 * Skips endpoints that are locked, so that it never waits for a lock: attempts to deliver change several endpoints in
 * another order.
 */
export const RESEAL = statement<{ readonly changes: readonly ResealedRow<SealedEndpoint>[] }>(
  'webhook_endpoints: reseal',
  `with changed as (
     select * from unnest(:changes.before.id::text[], :changes.before.secretSealed::text[],
       :changes.before.formerSecrets::text[], :changes.after.secretSealed::text[],
       :changes.after.formerSecrets::text[]) as c (id, secret_before, former_before, secret_after, former_after)
   ), held as (
     select e.id from webhook_endpoints e join changed c on c.id = e.id
        and c.secret_before = e.secret_sealed and c.former_before::jsonb = e.former_secrets
        for no key update of e skip locked
   )
   update webhook_endpoints e set secret_sealed = c.secret_after, former_secrets = c.former_after::jsonb
     from held join changed c on c.id = held.id where e.id = held.id`,
);
