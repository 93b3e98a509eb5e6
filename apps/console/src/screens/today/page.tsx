import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Link } from '@tanstack/react-router';
import { useFormats, useTexts } from '../../app/locale.tsx';
import { useAccount } from '../../app/session.tsx';
import { ApiCall } from '../../parts/api-call.tsx';
import { ErrorNotice } from '../../parts/error-notice.tsx';
import { PageFrame } from '../../parts/page.tsx';
import { useWaitingReceipts } from '../expenses/waiting.ts';
import { type Concern, concerns } from './concerns.ts';
import { TODAY } from './texts.ts';
import { TODAY_TITLE } from './title.ts';

const REFRESH_MS = 60_000;

export function Page() {
  const title = useTexts(TODAY_TITLE);
  const t = useTexts(TODAY);
  const { may } = useAccount();
  return (
    <PageFrame title={title('title')} text={t('text')}>
      <ul className="tiles">
        {may('write') && <Receipts />}
        {concerns()
          .filter(({ needs }) => may(needs))
          .map((concern) => (
            <Counted key={concern.text} concern={concern} />
          ))}
      </ul>
    </PageFrame>
  );
}

/** This browser knows them, so no call counts them. */
function Receipts() {
  const { signedIn } = useAccount();
  const { length } = useWaitingReceipts(signedIn.companyId);
  return (
    <Tile
      text="receipts"
      count={length}
      to="/expenses/new"
      call={<ApiCall request="POST /files/upload" sdk="await counterfoil.files.upload(file);" />}
    />
  );
}

function Counted({ concern }: { readonly concern: Concern }) {
  const { client } = useAccount();
  const { request, sdk, count: _count, needs: _needs, ...tile } = concern;
  const count = useQuery({
    ...{ queryKey: ['today', concern.text], refetchInterval: REFRESH_MS },
    queryFn: () => concern.count(client),
  });
  return (
    <Tile {...tile} count={count.data} call={<ApiCall {...{ request, sdk }} />}>
      {count.error && <ErrorNotice error={count.error} retry={() => void count.refetch()} />}
    </Tile>
  );
}

interface TileProps {
  readonly text: Concern['text'] | 'receipts';
  /** Undefined until it is read. */
  readonly count: number | undefined;
  readonly to: string;
  readonly search?: Concern['search'];
  readonly isWaiting?: boolean;
  readonly call: ReactNode;
  /** An error, instead of the count. */
  readonly children?: ReactNode;
}

function Tile({ text, count, to, search, isWaiting = false, call, children }: TileProps) {
  const t = useTexts(TODAY);
  const { number } = useFormats();
  const isSome = (count ?? 0) > 0;
  const state = isSome ? (isWaiting ? 'waiting' : 'some') : 'calm';
  return (
    <li className={isSome && !isWaiting ? 'tile urgent' : 'tile'}>
      <h2>{t(text)}</h2>
      {children || (
        <p className="count" aria-busy={count === undefined}>
          {count === undefined ? '…' : number(count)}
        </p>
      )}
      <p className="state">{count === undefined ? ' ' : t(state)}</p>
      <p className="tile-foot">
        <Link to={to} {...(search && { search })} aria-label={t('showOf', { name: t(text) })}>
          {t('show')}
        </Link>
        {call}
      </p>
    </li>
  );
}
