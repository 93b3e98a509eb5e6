import { Link } from '@tanstack/react-router';
import { useTexts } from './locale.tsx';
import { SHELL } from './shell-messages.ts';

export function NotFound() {
  const t = useTexts(SHELL);
  return (
    <div className="empty">
      <h1>{t('notFound')}</h1>
      <p>{t('notFoundText')}</p>
      <Link to="/" className="button primary">
        {t('toStart')}
      </Link>
    </div>
  );
}
