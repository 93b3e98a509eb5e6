import { isCounterfoilError } from '@counterfoil/sdk';
import { Button } from 'react-aria-components';
import { errorPage } from '../app/addresses.ts';
import { useTexts } from '../app/locale.tsx';
import { SHELL } from '../app/shell-messages.ts';

/** Shows an error with its code, the id of its request, and what the documentation says about it. */
export function ErrorNotice({
  error,
  retry,
}: {
  readonly error: unknown;
  readonly retry?: (() => void) | undefined;
}) {
  const t = useTexts(SHELL);
  const known = isCounterfoilError(error) ? error : null;
  return (
    <div className="error" role="alert">
      <p className="error-title">{t('errorTitle')}</p>
      <p>
        <bdi>{error instanceof Error ? error.message : String(error)}</bdi>
      </p>
      {known && known.fields.length > 0 && (
        <ul>
          {known.fields.map(({ field, problem }) => (
            <li key={field + problem}>
              <bdi>
                <code>{field}</code> {problem}
              </bdi>
            </li>
          ))}
        </ul>
      )}
      {known && (
        <dl className="facts">
          <dt>{t('errorCode')}</dt>
          <dd>
            <code>{known.code}</code> <a href={errorPage(known.code)}>{t('errorHelp')}</a>
          </dd>
          {known.requestId !== undefined && (
            <>
              <dt>{t('errorRequest')}</dt>
              <dd>
                <code>{known.requestId}</code>
              </dd>
            </>
          )}
        </dl>
      )}
      {retry && (
        <Button className="button" onPress={retry}>
          {t('tryAgain')}
        </Button>
      )}
    </div>
  );
}
