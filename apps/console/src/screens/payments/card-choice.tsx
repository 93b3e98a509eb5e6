import { Link } from '@tanstack/react-router';
import { useTexts } from '../../app/locale.tsx';
import { Choice } from '../../parts/fields.tsx';
import { useCards } from './gateway.tsx';
import { PAYMENTS } from './texts.ts';

interface CardChoiceProps {
  readonly card: string;
  readonly onChange: (card: string) => void;
}

/** One of the saved cards. */
export function CardChoice({ card, onChange }: CardChoiceProps) {
  const t = useTexts(PAYMENTS);
  const { all, textOf } = useCards();
  return (
    <Choice
      label={t('card')}
      value={card}
      onChange={onChange}
      options={all.map((one) => ({ value: String(one.id), text: `${textOf(one)} (${one.id})` }))}
    />
  );
}

/** Stands in place of a form that needs a saved card. */
export function FirstCard() {
  const t = useTexts(PAYMENTS);
  return (
    <p>
      {t('firstCard')} <Link to="/payments/cards">{t('toCards')}</Link>
    </p>
  );
}
