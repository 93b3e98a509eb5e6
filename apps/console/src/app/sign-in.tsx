import { useMutation } from '@tanstack/react-query';
import { useNavigate, useRouterState } from '@tanstack/react-router';
import { Button } from 'react-aria-components';
import { guide } from './addresses.ts';
import { KeyForm } from './key-form.tsx';
import { useTexts } from './locale.tsx';
import { PreferencesMenu } from './preferences-menu.tsx';
import { useSessions } from './session.tsx';
import { SHELL } from './shell-messages.ts';

/** Exchanges an API key for a session. It is shown in place of a page, too, so that a link still leads there. */
export function SignIn() {
  const t = useTexts(SHELL);
  const { signIn, hasEnded } = useSessions();
  const navigate = useNavigate();
  const isOwnPage = useIsOwnPage();
  const attempt = useMutation({
    mutationFn: (apiKey: string) => signIn(apiKey),
    // The refusal of a key says nothing about the session of another company.
    meta: { isSignIn: true },
    networkMode: 'always',
    onSuccess: () => (isOwnPage ? navigate({ to: '/' }) : undefined),
  });
  return (
    <main className="sign-in" id="content">
      <div className="card">
        <p className="brand">Counterfoil</p>
        <h1>{t('signInTitle')}</h1>
        {hasEnded && !attempt.error && (
          <p role="status" className="note">
            {t('sessionEnded')}
          </p>
        )}
        <KeyForm attempt={attempt} />
        <SignedInTo />
        <p className="foot">
          <a href={guide('console')}>{t('keyWhere')}</a>
          <PreferencesMenu />
        </p>
      </div>
    </main>
  );
}

/** The companies that this browser is still signed in to. */
function SignedInTo() {
  const t = useTexts(SHELL);
  const { known, switchTo } = useSessions();
  const navigate = useNavigate();
  const isOwnPage = useIsOwnPage();
  if (known.length === 0) return null;
  return (
    <section className="signed-in-to" aria-labelledby="signed-in-to">
      <h2 id="signed-in-to">{t('signedInTo')}</h2>
      {known.map(({ id, company }) => (
        <Button
          key={id}
          className="button wide"
          onPress={() => {
            switchTo(id);
            if (isOwnPage) void navigate({ to: '/' });
          }}
        >
          <bdi>{company}</bdi>
        </Button>
      ))}
    </section>
  );
}

const useIsOwnPage = () =>
  useRouterState({ select: ({ location }) => location.pathname.endsWith('/sign-in') });
