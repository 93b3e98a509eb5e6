import type { AnswerOf } from '@counterfoil/sdk';
import { useTexts } from '../../../app/locale.tsx';
import { Choice } from '../../../parts/fields.tsx';
import { RECORD } from './texts.ts';

export type Stamp = AnswerOf<'POST /documents/id/{id}/share'>['stamp'];

interface StampChoiceProps {
  /** Null leaves it to the service. */
  readonly value: Stamp | null;
  readonly onChange: (stamp: Stamp | null) => void;
}

/** As what a document is handed over. */
export function StampChoice({ value, onChange }: StampChoiceProps) {
  const t = useTexts(RECORD);
  return (
    <Choice
      label={t('stamp')}
      value={value ?? ''}
      options={[
        { value: '', text: t('automatic') },
        { value: 'original', text: t('original') },
        { value: 'copy', text: t('copy') },
      ]}
      onChange={(chosen) => onChange(chosen === '' ? null : chosen)}
    />
  );
}
