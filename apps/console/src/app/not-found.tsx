import { Link } from '@tanstack/react-router';
import { useTexts } from './locale.tsx';
import { SHELL } from './shell-messages.ts';

export const NotFound = () => <NoPage title="notFound" text="notFoundText" />;

/** Instead of a screen that the role may not open. */
export const MayNot = () => <NoPage title="mayNot" text="mayNotText" />;

interface Words {
  readonly title: 'notFound' | 'mayNot';
  readonly text: 'notFoundText' | 'mayNotText';
}

function NoPage({ title, text }: Words) {
  const t = useTexts(SHELL);
  return (
    <div className="empty">
      <h1>{t(title)}</h1>
      <p>{t(text)}</p>
      <Link to="/" className="button primary">
        {t('toStart')}
      </Link>
    </div>
  );
}
