import { useTexts } from '../../app/locale.tsx';
import { type Charge, failureOf } from './amounts.ts';
import { PAYMENTS } from './texts.ts';

const LOOKS: Readonly<Record<Charge['status'] | 'OPEN' | 'PAID', string>> = {
  PENDING: 'state warn',
  AUTHORIZED: 'state warn',
  SUCCEEDED: 'state good',
  FAILED: 'state bad',
  CANCELED: 'state',
  OPEN: 'state',
  PAID: 'state good',
};

export function PaymentStatus({ status }: { readonly status: keyof typeof LOOKS }) {
  const t = useTexts(PAYMENTS);
  return <span className={LOOKS[status]}>{t(status)}</span>;
}

/** Why a provider declined, in words where there are any. */
export function useFailure(): (code: string | null) => string | null {
  const t = useTexts(PAYMENTS);
  return (code) => {
    if (code === null) return null;
    const known = failureOf(code);
    return known ? t(known) : t('failure', { code });
  };
}
