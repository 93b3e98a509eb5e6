import { backlogOf, statement } from '@counterfoil/database';
import { claimOf, endOf, fence, isLeased, type Lease, renewalOf } from '@counterfoil/leased-work';
import type { DocumentKind } from '@counterfoil/receipt-reader';
import type { ReadingOutcome } from '../../application/ports/reading-outcome';
import type {
  ReadingRequest,
  ClaimedReading,
  FinishedReading,
  ReadingTerms,
} from '../../application/ports/reading-requests';

const TABLE = {
  name: 'reading_requests',
  key: 'id',
  token: 'claim_id',
  until: 'claimed_until',
  open: 'outcome is null',
  payload: `id, claim_id as "claimId", company_id as "companyId", file_id as "fileId", url, said_as as "declaredKind",
    is_image as "isImage", attempts, trace`,
};

interface Id {
  readonly id: number;
}

interface Wait {
  /** Callers of an API process that ends without notice are not waited for any longer than this. */
  readonly wait: string;
}

interface Source {
  readonly fileId: number | null;
  readonly url: string | null;
  readonly declaredKind: DocumentKind | '';
}

export const BACKLOG = backlogOf<object>({
  table: TABLE.name,
  where: `${TABLE.open} and waiters > 0 and waited_until >= statement_timestamp()`,
  due: 'asked_at',
  orderBy: 'id',
});

/** Returns the request that may be joined, and the number of waiting requests of the company. */
export const FIND_WAITING = statement<
  {
    readonly companyId: number;
    readonly source: string;
    readonly lateKept: string;
    readonly timeout: string;
  },
  { readonly joined: number | null; readonly waiting: number }
>(
  'reading_requests: waiting',
  `select (select max(id) from reading_requests where company_id = :companyId and source = :source
             and (outcome is null
               or (finished_at > statement_timestamp() - :lateKept::interval and finished_at - asked_at >= :timeout
                 and outcome #>> '{failure,code}' is distinct from 'UNAVAILABLE'))) as joined,
          (select count(*)::integer from reading_requests
            where company_id = :companyId and outcome is null and waiters > 0
              and waited_until >= statement_timestamp()) as waiting`,
);

export const JOIN = statement<Id & Wait>(
  'reading_requests: join',
  `update reading_requests set waiters = waiters + 1,
       waited_until = greatest(waited_until, clock_timestamp() + :wait::interval)
    where id = :id`,
);

export const INSERT = statement<
  Source &
    Wait &
    Pick<ReadingRequest, 'companyId' | 'source' | 'isImage'> & { readonly trace: string | null },
  Id
>(
  'reading_requests: insert',
  `insert into reading_requests (company_id, source, file_id, url, said_as, is_image, asked_at, waited_until, trace)
   values (:companyId, :source, :fileId, :url, :declaredKind, :isImage, statement_timestamp(),
     clock_timestamp() + :wait::interval, :trace)
   on conflict (company_id, source) where outcome is null do nothing
   returning id`,
);

/**
 * Skips rows that are locked, which are renewed the next time. Waiting for several rows could deadlock with
 * the renewal of claims.
 */
export const RENEW_WAITS = statement<{ readonly ids: readonly number[] } & Wait>(
  'reading_requests: renew waits',
  `update reading_requests work set waited_until = greatest(work.waited_until, clock_timestamp() + :wait::interval)
     from (select id from reading_requests where id = any (:ids) and outcome is null
              for no key update skip locked) open
    where work.id = open.id`,
);

/** The request is read until it is purged. */
export const KEEP_WANTED = statement<Id>(
  'reading_requests: keep wanted',
  `update reading_requests set waited_until = 'infinity' where id = :id and outcome is null`,
);

export const LEAVE = statement<Id>(
  'reading_requests: leave',
  'update reading_requests set waiters = waiters - 1 where id = :id and outcome is null and waiters > 0',
);

export const REMOVE_UNWANTED = statement<Id>(
  'reading_requests: remove unwanted',
  'delete from reading_requests where id = :id and outcome is null and waiters = 0 and claim_id is null',
);

export const FIND_FINISHED = statement<{ readonly ids: readonly number[] }, FinishedReading>(
  'reading_requests: finished',
  `select id, company_id as "companyId", source, outcome
     from reading_requests where id = any (:ids) and outcome is not null`,
  { present: ['outcome'] },
);

/**
 * URLs are counted separately, so that a slow URL does not delay texts. A URL that turns out to be an image
 * counts as an image.
 */
const PLACE = `case when work.is_image then 'images' when work.url is null then 'texts' else 'urls' end`;

/**
 * Claims the next request with a waiting caller, of the company with the fewest claims. Texts, images and
 * URLs of each company are counted separately, except for deprioritised companies, which also come last.
 */
export const CLAIM = claimOf<
  Omit<ClaimedReading, 'of' | 'declaredKind'> & Source,
  { readonly terms: ReadingTerms }
>(
  TABLE,
  {
    cte: `in_hand as materialized (
      select company_id, ${PLACE} as place, count(*) as number from reading_requests work
       where outcome is null and claim_id is not null and ${isLeased(TABLE)}
       group by company_id, ${PLACE})`,
    join: `left join in_hand h on h.company_id = work.company_id and h.place = ${PLACE}`,
    where: `work.waiters > 0 and work.waited_until >= clock_timestamp() and (work.claim_id is null or work.claim_id <> all ((select :terms.held::uuid[])::uuid[]))
         and case ${PLACE} when 'images' then :terms.images::boolean when 'texts' then :terms.texts::boolean
               else :terms.urls::boolean end
         and case when work.company_id = any ((select :terms.heldBack.companyIds::bigint[])::bigint[])
               then (select coalesce(sum(number), 0) from in_hand i where i.company_id = work.company_id)
                    < :terms.heldBack.ofCompanyMax::integer
               else coalesce(h.number, 0) < :terms.ofCompanyMax::integer end`,
    orderBy:
      'work.company_id = any ((select :terms.heldBack.companyIds::bigint[])::bigint[]), coalesce(h.number, 0), work.is_image, work.id',
    set: 'attempts = attempts + 1',
  },
  // Idle workers ask at least once a second, and planning took thirty times as long as looking.
  { present: ['claimId'], prepared: true },
);

export const RENEW = renewalOf(TABLE, 'waiters > 0');
export const RELEASE = endOf(TABLE, 'release', ['attempts = attempts - 1']);
export const RETRY = endOf(TABLE, 'retry');
export const FINISH = endOf<{ readonly outcome: ReadingOutcome }>(TABLE, 'finish', [
  'outcome = :outcome',
  'finished_at = clock_timestamp()',
  'url = null',
]);

/** Keeps the claim as an image if there is a slot for one. Otherwise the claim is released. */
export const TURN_INTO_IMAGE = statement<
  Lease & { readonly hasRoom: boolean; readonly ofCompanyMax: number; readonly companyId: number },
  { readonly goesOn: boolean }
>(
  'reading_requests: turn into image',
  `with room as (
     select :hasRoom::boolean and count(*) < :ofCompanyMax as is_left from reading_requests work
      where outcome is null and claim_id is not null and ${isLeased(TABLE)} and company_id = :companyId and is_image)
   update reading_requests work set is_image = true,
       claim_id = case when is_left then claim_id end, claimed_until = case when is_left then claimed_until end,
       attempts = case when is_left then attempts else attempts - 1 end
     from room where ${fence(TABLE)}
   returning is_left as "goesOn"`,
);

const purgeOf = (what: string, time: string) =>
  statement<{ readonly kept: string; readonly batch: number }, { readonly one: number }>(
    `reading_requests: purge ${what}`,
    `delete from reading_requests r using (
       select id from reading_requests where ${time} < statement_timestamp() - :kept::interval
        limit :batch for update skip locked) old
      where r.id = old.id returning 1 as one`,
  );

export const PURGE = {
  finished: purgeOf('finished', 'outcome is not null and finished_at'),
  unread: purgeOf('unread', 'outcome is null and asked_at'),
  /** Their worker died after the last caller had withdrawn. */
  left: purgeOf('left', 'outcome is null and waiters = 0 and claimed_until'),
};
