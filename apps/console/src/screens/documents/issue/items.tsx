import { Button } from 'react-aria-components';
import { useTexts } from '../../../app/locale.tsx';
import { Section } from '../../../parts/facts.tsx';
import { TextInput } from '../../../parts/fields.tsx';
import { Icon } from '../../../parts/icon.tsx';
import { DOCUMENTS } from '../texts.ts';
import { isFaulty, type ItemDraft, NEW_ITEM } from './draft.ts';
import { ISSUE } from './texts.ts';

interface ItemsProps {
  readonly items: readonly ItemDraft[];
  readonly onChange: (items: readonly ItemDraft[]) => void;
}

export function Items({ items, onChange }: ItemsProps) {
  const t = useTexts(ISSUE);
  const d = useTexts(DOCUMENTS);
  const faultOf = (text: string) => (isFaulty(text) ? t('notANumber') : undefined);
  const replace = (index: number, next: readonly ItemDraft[]) =>
    onChange(items.flatMap((one, at) => (at === index ? next : [one])));
  return (
    <Section title={d('items')}>
      <ol className="entries">
        {items.map((item, index) => (
          <li key={index} className="entry">
            <TextInput
              label={d('description')}
              maxLength={500}
              value={item.description}
              onChange={(description) => replace(index, [{ ...item, description }])}
            />
            <TextInput
              label={d('quantity')}
              kind="number"
              value={item.quantity}
              problem={faultOf(item.quantity)}
              onChange={(quantity) => replace(index, [{ ...item, quantity }])}
            />
            <TextInput
              label={d('unitPrice')}
              kind="number"
              value={item.unitPrice}
              problem={faultOf(item.unitPrice)}
              onChange={(unitPrice) => replace(index, [{ ...item, unitPrice }])}
            />
            <TextInput
              label={d('discount')}
              kind="number"
              value={item.discount}
              problem={faultOf(item.discount)}
              onChange={(discount) => replace(index, [{ ...item, discount }])}
            />
            <TextInput
              label={d('vat')}
              kind="number"
              value={item.vat}
              problem={faultOf(item.vat)}
              onChange={(vat) => replace(index, [{ ...item, vat }])}
            />
            <Button
              className="button quiet small"
              aria-label={t('removeItem', { number: index + 1 })}
              isDisabled={items.length === 1}
              onPress={() => replace(index, [])}
            >
              <Icon name="close" />
            </Button>
          </li>
        ))}
      </ol>
      <p className="quiet-text">
        {d('vat')}: {t('vatHelp')}
      </p>
      <Button className="button small" onPress={() => onChange([...items, NEW_ITEM])}>
        {t('addItem')}
      </Button>
    </Section>
  );
}
