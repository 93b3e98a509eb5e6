import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useFormats, useTexts } from '../../app/locale.tsx';
import { useAccount } from '../../app/session.tsx';
import { ApiCall } from '../../parts/api-call.tsx';
import { ErrorNotice } from '../../parts/error-notice.tsx';
import { PageFrame } from '../../parts/page.tsx';
import { type Concern, concerns } from './concerns.ts';
import { TODAY } from './texts.ts';
import { TODAY_TITLE } from './title.ts';

export function Page() {
  const title = useTexts(TODAY_TITLE);
  const t = useTexts(TODAY);
  const { may } = useAccount();
  return (
    <PageFrame title={title('title')} text={t('text')}>
      <ul className="tiles">
        {concerns()
          .filter(({ needs }) => may(needs))
          .map((concern) => (
            <Tile key={concern.text} concern={concern} />
          ))}
      </ul>
    </PageFrame>
  );
}

function Tile({ concern }: { readonly concern: Concern }) {
  const t = useTexts(TODAY);
  const { number } = useFormats();
  const { client } = useAccount();
  const { text, request, sdk, to, search, isWaiting = false } = concern;
  const count = useQuery({ queryKey: ['today', text], queryFn: () => concern.count(client) });
  const isSome = (count.data ?? 0) > 0;
  const state = isSome ? (isWaiting ? 'waiting' : 'some') : 'calm';
  return (
    <li className={isSome && !isWaiting ? 'tile urgent' : 'tile'}>
      <h2>{t(text)}</h2>
      {count.error ? (
        <ErrorNotice error={count.error} retry={() => void count.refetch()} />
      ) : (
        <p className="count" aria-busy={count.isPending}>
          {count.data === undefined ? '…' : number(count.data)}
        </p>
      )}
      <p className="state">{count.data === undefined ? ' ' : t(state)}</p>
      <p className="tile-foot">
        <Link to={to} {...(search && { search })} aria-label={t('showOf', { name: t(text) })}>
          {t('show')}
        </Link>
        <ApiCall request={request} sdk={sdk} />
      </p>
    </li>
  );
}
