import { statement } from '@counterfoil/database';
import type { SignedIn, StoredSession } from '../../application/ports/session.repository';

/** The sessions with one of the hashes given, also of keys and companies that may not be used. */
export const FIND_SESSIONS = statement<{ readonly hashes: readonly Buffer[] }, StoredSession>(
  'identity: sessions by hash',
  `select s.id as "sessionId", s.token_hash as "tokenHash", s.expires_at as "sessionExpiresAt",
          k.id as "apiKeyId", k.company_id as "companyId", k.user_id as "userId", k.role, k.key_hash as "keyHash",
          k.last_used_at as "lastUsedAt", k.revoked_at as "revokedAt", k.expires_at as "expiresAt", k.addresses,
          c.suspended_at as "suspendedAt"
     from sessions s join api_keys k on k.id = s.api_key_id join companies c on c.id = k.company_id
    where s.token_hash = any ((select :hashes::bytea[])::bytea[])`,
  { prepared: true },
);

export const LOCK_KEY = statement<
  { readonly companyId: number; readonly apiKeyId: number },
  { readonly expiresAt: Date | null }
>(
  'identity: lock a key',
  `select expires_at as "expiresAt" from api_keys
    where id = :apiKeyId and company_id = :companyId and revoked_at is null for no key update`,
);

export const TRIM_SESSIONS = statement<{
  readonly companyId: number;
  readonly apiKeyId: number;
  readonly now: Date;
  readonly keep: number;
}>(
  'identity: trim sessions',
  `delete from sessions where company_id = :companyId and api_key_id = :apiKeyId
      and (expires_at <= :now
        or id not in (select id from sessions where company_id = :companyId and api_key_id = :apiKeyId
                        and expires_at > :now order by id desc limit :keep))`,
);

export const FIND_SIGNED_IN = statement<
  { readonly companyId: number; readonly apiKeyId: number; readonly sessionId: number | null },
  SignedIn
>(
  'identity: who has signed in',
  `select c.id as "companyId", c.name as "companyName", k.id as "apiKeyId", k.name as "keyName", u.id as "userId",
          u.name as "userName", s.id as "sessionId", coalesce(s.expires_at, k.expires_at) as "expiresAt"
     from api_keys k join companies c on c.id = k.company_id join users u on u.id = k.user_id
     left join sessions s on s.id = :sessionId and s.api_key_id = k.id
    where k.company_id = :companyId and k.id = :apiKeyId`,
);

export const SESSIONS_IN_USE = statement<{ readonly sessionIds: readonly number[] }, { readonly id: number }>(
  'identity: sessions in use',
  `select s.id from sessions s join api_keys k on k.id = s.api_key_id join companies c on c.id = k.company_id
    where s.id = any (:sessionIds::bigint[]) and s.expires_at > now() and k.revoked_at is null
      and (k.expires_at is null or k.expires_at > now()) and c.suspended_at is null`,
);
