import { useQuery } from '@tanstack/react-query';
import { Link, Outlet, useRouterState } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { Button } from 'react-aria-components';
import { ErrorNotice } from '../parts/error-notice.tsx';
import { Icon } from '../parts/icon.tsx';
import { Loading } from '../parts/loading.tsx';
import { SCREENS } from '../screens.ts';
import { guide } from './addresses.ts';
import { CompanyMenu } from './company-menu.tsx';
import { usePreferences, useTexts } from './locale.tsx';
import { PageNameContext } from './page-name.ts';
import { PreferencesMenu } from './preferences-menu.tsx';
import type { Screen } from './screen.ts';
import { AccountProvider, clientOf, useAccount, useSessions } from './session.tsx';
import { SHELL } from './shell-messages.ts';
import { SignIn } from './sign-in.tsx';
import { SignInAgain } from './sign-in-again.tsx';

/** The frame of every page. Without a session it shows the page for signing in, at the same address. */
export function Shell() {
  const { current } = useSessions();
  const path = useRouterState({ select: ({ location }) => location.pathname });
  if (path.endsWith('/sign-in') || !current) return <SignIn />;
  return <SignedInShell sessionId={current.id} />;
}

function SignedInShell({ sessionId }: { readonly sessionId: number }) {
  const { hasEnded } = useSessions();
  const caller = useQuery({
    ...{ queryKey: ['caller', sessionId], queryFn: () => clientOf(sessionId).caller.get() },
    // Whether the session has ended is what it asks.
    ...{ retry: false, networkMode: 'always' },
  });
  if (!caller.data) {
    if (hasEnded) return <SignIn />;
    if (caller.error) return <ErrorNotice error={caller.error} retry={() => void caller.refetch()} />;
    return <Loading />;
  }
  return (
    <AccountProvider signedIn={caller.data}>
      <Frame />
      {hasEnded && <SignInAgain />}
    </AccountProvider>
  );
}

const GROUPS = ['work', 'settings'] as const;

function Frame() {
  const t = useTexts(SHELL);
  const { may } = useAccount();
  const path = useRouterState({ select: ({ location }) => location.pathname });
  const [isOpen, setOpen] = useState(false);
  useEffect(() => setOpen(false), [path]);
  const [pageName, setPageName] = useState<string | null>(null);
  useTitle(pageName);
  const visible = SCREENS.filter(({ needs }) => may(needs));
  return (
    <div className={isOpen ? 'frame open' : 'frame'}>
      <a href="#content" className="skip">
        {t('skip')}
      </a>
      <header className="top">
        <Button
          className="button quiet only-narrow"
          aria-label={t('menu')}
          aria-expanded={isOpen}
          onPress={() => setOpen(!isOpen)}
        >
          <Icon name="menu" />
        </Button>
        <CompanyMenu />
        <span className="space" />
        <a className="button quiet only-wide" href={guide('console')}>
          {t('docs')}
        </a>
        <PreferencesMenu />
      </header>
      <nav className="side" aria-label={t('navigation')}>
        <p className="brand">Counterfoil</p>
        {GROUPS.map((group) => (
          <NavGroup
            key={group}
            title={t(`group_${group}`)}
            screens={visible.filter((one) => one.group === group)}
          />
        ))}
      </nav>
      <main id="content" tabIndex={-1}>
        <PageNameContext value={setPageName}>
          <Outlet />
        </PageNameContext>
        <PrintedAddress />
      </main>
    </div>
  );
}

function NavGroup({ title, screens }: { readonly title: string; readonly screens: readonly Screen[] }) {
  if (screens.length === 0) return null;
  return (
    <>
      <p className="group">{title}</p>
      <ul>
        {screens.map((screen) => (
          <NavEntry key={screen.path} screen={screen} />
        ))}
      </ul>
    </>
  );
}

function NavEntry({ screen }: { readonly screen: Screen }) {
  const t = useTexts(screen.texts);
  return (
    <li>
      <Link to={screen.path} activeOptions={{ exact: screen.path === '/' }}>
        {t('title')}
      </Link>
    </li>
  );
}

/** On paper, the whole address says what was filtered. */
function PrintedAddress() {
  const address = useRouterState({ select: ({ location }) => location.href });
  return (
    <p key={address} className="only-print">
      {globalThis.location.href}
    </p>
  );
}

const LONGEST_NAME = 80;

/** Names the page in the tab and the history of the browser. @param name of the page; null for that of its screen */
function useTitle(name: string | null): void {
  const route = useRouterState({ select: ({ matches }) => String(matches.at(-1)?.fullPath) });
  const { language } = usePreferences();
  const { signedIn } = useAccount();
  useEffect(() => {
    const screen = SCREENS.find((one) => one.path === route);
    document.title = [
      name?.slice(0, LONGEST_NAME) ?? screen?.texts[language].title,
      signedIn.companyName,
      'Counterfoil',
    ]
      .filter(Boolean)
      .join(' · ');
  }, [name, route, language, signedIn.companyName]);
}
