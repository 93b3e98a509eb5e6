import type { Extraction } from '@counterfoil/sdk';
import { type ReactNode, useState } from 'react';
import { Checkbox } from 'react-aria-components';
import { useTexts } from '../../app/locale.tsx';
import { TextInput } from '../../parts/fields.tsx';
import { CertaintyMark } from './certainty-mark.tsx';
import type { Draft, DraftField } from './draft.ts';
import { EXPENSE_FORM } from './form-texts.ts';
import type { ReadField } from './places.ts';

export interface FieldsProps {
  readonly draft: Draft;
  readonly reading: Extraction | undefined;
  readonly set: (part: Partial<Draft>) => void;
  readonly errorOf: (field: DraftField) => ReactNode;
  /** Makes the handler that emphasises the place of a value on the receipt. */
  readonly onActive: (field: ReadField | null) => () => void;
}

type TextOf = Exclude<DraftField, 'vendor' | 'isEquipment'>;

/** Makes the properties that all text fields of the form share. */
function useField({ draft, reading, set, errorOf, onActive }: FieldsProps) {
  const t = useTexts(EXPENSE_FORM);
  return (field: TextOf, read: ReadField | null) => ({
    label: t(field),
    value: draft[field],
    onChange: (value: string) => set({ [field]: value }),
    problem: errorOf(field),
    mark: reading && read === field ? <CertaintyMark reading={reading} field={read} /> : undefined,
    onFocus: onActive(read),
  });
}

export function DocumentFields(props: FieldsProps) {
  const field = useField(props);
  return (
    <div className="pair">
      <TextInput {...field('date', 'date')} kind="date" isRequired />
      <TextInput {...field('documentNumber', 'documentNumber')} />
    </div>
  );
}

export function AmountFields(props: FieldsProps) {
  const t = useTexts(EXPENSE_FORM);
  const { draft, set } = props;
  const field = useField(props);
  const [hasOwnDeductable, setOwnDeductable] = useState(draft.deductableTax !== draft.tax);
  const amount = { kind: 'number', isRequired: true } as const;
  return (
    <div className="pair">
      <TextInput {...field('total', 'total')} {...amount} />
      <TextInput
        {...field('currency', 'currency')}
        onChange={(currency) => set({ currency: currency.toUpperCase() })}
        kind="code"
        isRequired
      />
      <TextInput
        {...field('tax', 'tax')}
        {...amount}
        onChange={(tax) => set(hasOwnDeductable ? { tax } : { tax, deductableTax: tax })}
      />
      <TextInput
        {...field('deductableTax', 'tax')}
        {...amount}
        help={t('deductableHint')}
        onChange={(deductableTax) => {
          setOwnDeductable(true);
          set({ deductableTax });
        }}
      />
    </div>
  );
}

export function PurposeFields(props: FieldsProps) {
  const t = useTexts(EXPENSE_FORM);
  const { draft, set } = props;
  const field = useField(props);
  return (
    <>
      <TextInput {...field('title', null)} help={t('titleHint')} />
      <TextInput {...field('notes', null)} kind="long" />
      <Checkbox
        className="checkbox"
        isSelected={draft.isEquipment}
        onChange={(isEquipment) => set({ isEquipment })}
      >
        <span className="check" aria-hidden="true" />
        <span>
          {t('isEquipment')} <span className="quiet-text">{t('equipmentHint')}</span>
        </span>
      </Checkbox>
    </>
  );
}
