import { isCounterfoilError } from '@counterfoil/sdk';
import { useState } from 'react';
import { Button, FieldError, Form, Input, Label, Text, TextField } from 'react-aria-components';
import { Explained } from '../parts/explained.ts';
import { ErrorNotice } from '../parts/error-notice.tsx';
import { useTexts } from './locale.tsx';
import { SHELL } from './shell-messages.ts';

interface KeyFormProps {
  /** The mutation that signs in with the key. */
  readonly attempt: {
    readonly error: Error | null;
    readonly isPending: boolean;
    readonly mutate: (apiKey: string) => void;
    readonly reset: () => void;
  };
}

/** Takes an API key to sign in with. */
export function KeyForm({ attempt }: KeyFormProps) {
  const t = useTexts(SHELL);
  const [key, setKey] = useState('');
  const [isMissing, setMissing] = useState(false);
  const problem = useProblem(attempt.error);
  const shown = isMissing ? t('keyMissing') : problem;
  return (
    <Form
      onSubmit={(event) => {
        event.preventDefault();
        const apiKey = key.trim();
        setMissing(apiKey === '');
        if (apiKey !== '') attempt.mutate(apiKey);
      }}
    >
      <TextField
        value={key}
        onChange={(value) => {
          setKey(value);
          setMissing(false);
          attempt.reset();
        }}
        isInvalid={shown !== undefined}
        validationBehavior="aria"
        type="password"
        autoComplete="off"
        autoFocus
      >
        <Label>{t('keyLabel')}</Label>
        <Input dir="ltr" spellCheck="false" placeholder="sk_live_…" />
        <FieldError>
          <bdi>{shown}</bdi>
        </FieldError>
        <Text slot="description">{t('keyHelp')}</Text>
      </TextField>
      {attempt.error && shown === undefined && <ErrorNotice error={attempt.error} />}
      <Button type="submit" className="button primary wide" isDisabled={attempt.isPending}>
        {attempt.isPending ? t('signingIn') : t('signIn')}
      </Button>
    </Form>
  );
}

/** The words for a key that opens nothing; undefined for another error. */
function useProblem(error: Error | null): string | undefined {
  const t = useTexts(SHELL);
  if (error instanceof Explained) return error.message;
  if (isCounterfoilError(error, 'UNAUTHENTICATED')) return t('keyRefused');
  return isCounterfoilError(error, 'COMPANY_SUSPENDED') ? t('keySuspended') : undefined;
}
