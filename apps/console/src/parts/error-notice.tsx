import { type ErrorCode, isCounterfoilError } from '@counterfoil/sdk';
import { Button } from 'react-aria-components';
import { errorPage } from '../app/addresses.ts';
import { ERRORS } from '../app/error-messages.ts';
import { usePreferences, useTexts } from '../app/locale.tsx';
import { isSessionEnd } from '../app/session-end.ts';
import { SHELL } from '../app/shell-messages.ts';
import { Explained } from './explained.ts';
import { translateProblem } from './field-problems.ts';

/**
 * Says what an error means, in the language of the page; null if its message does. Newer services may have further codes.
 */
export function useErrorTitle(error: unknown): string | null {
  const t = useTexts(SHELL);
  const errors = useTexts(ERRORS);
  if (error instanceof Explained) return null;
  const code = isCounterfoilError(error) ? error.code : '';
  return Object.hasOwn(ERRORS.en, code) ? errors(code as ErrorCode) : t('errorTitle');
}

/** A sentence of the service, which is in English on every page. */
export const ServiceText = ({ children }: { readonly children: string }) => (
  <bdi lang="en" dir="ltr">
    {children}
  </bdi>
);

/** The sentence of an error: the console's own, or else in English. */
export function ErrorText({ error }: { readonly error: unknown }) {
  if (error instanceof Explained) return <bdi>{error.message}</bdi>;
  return <ServiceText>{error instanceof Error ? error.message : String(error)}</ServiceText>;
}

/** The problem of one field, in the language of the page if the console knows the sentence of the service. */
export function FieldProblem({ children }: { readonly children: string }) {
  const { language } = usePreferences();
  const translated = translateProblem(children, language);
  return translated === null ? <ServiceText>{children}</ServiceText> : <bdi>{translated}</bdi>;
}

/**
 * Shows an error with its code, the id of its request, and what the documentation says about it. That the session has
 * ended is shown only where something can be tried again: the console asks for the next session above the page.
 */
export function ErrorNotice({
  error,
  retry,
}: {
  readonly error: unknown;
  readonly retry?: (() => void) | undefined;
}) {
  const t = useTexts(SHELL);
  const title = useErrorTitle(error);
  if (isSessionEnd(error) && !retry) return null;
  const known = isCounterfoilError(error) ? error : null;
  return (
    <div className="error" role="alert">
      {title !== null && <p className="error-title">{title}</p>}
      <p>
        <ErrorText error={error} />
      </p>
      {known && known.fields.length > 0 && (
        <ul>
          {known.fields.map(({ field, problem }) => (
            <li key={field + problem}>
              <code>{field}</code> <FieldProblem>{problem}</FieldProblem>
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
