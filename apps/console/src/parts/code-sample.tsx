import { useState } from 'react';
import { Button } from 'react-aria-components';
import { useTexts } from '../app/locale.tsx';
import { SHELL } from '../app/shell-messages.ts';
import { Icon } from './icon.tsx';

/** A text for programs, from left to right, with a button that copies it. */
export function CodeSample({ title, text }: { readonly title: string; readonly text: string }) {
  return (
    <section className="sample">
      <header>
        <h3>{title}</h3>
        <CopyButton text={text} />
      </header>
      <pre dir="ltr" tabIndex={0}>
        {text}
      </pre>
    </section>
  );
}

interface CopyButtonProps {
  readonly text: string;
  /** For screen readers, where several buttons are beside each other. */
  readonly name?: string;
}

export function CopyButton({ text, name }: CopyButtonProps) {
  const t = useTexts(SHELL);
  const [isCopied, setCopied] = useState(false);
  return (
    <Button
      className="button quiet"
      {...(name !== undefined && { 'aria-label': isCopied ? `${name}: ${t('copied')}` : name })}
      onPress={() => void navigator.clipboard?.writeText(text).then(() => setCopied(true))}
    >
      <Icon name="copy" />
      {isCopied ? t('copied') : t('copy')}
    </Button>
  );
}
