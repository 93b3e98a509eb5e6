import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { Button } from 'react-aria-components';
import { useFormats, useTexts } from '../../../app/locale.tsx';
import { useAccount } from '../../../app/session.tsx';
import { Confirm } from '../../../parts/confirm.tsx';
import { Explained } from '../../../parts/explained.ts';
import { TextInput } from '../../../parts/fields.tsx';
import { FormButton } from '../../../parts/form-dialog.tsx';
import { useSendOnce } from '../../../parts/send-once.ts';
import { useToasts } from '../../../parts/toasts.tsx';
import { type ChargeRecord, faultOf, isHeld, type Operation, refundable, restOf } from '../amounts.ts';
import { PAYMENTS } from '../texts.ts';
import { CHARGE } from './texts.ts';

interface ActProps {
  readonly charge: ChargeRecord;
}

/** The acts that the state of a charge allows. The service decides in the end. */
export function Acts({ charge }: ActProps) {
  return (
    <>
      {isHeld(charge) && <Cancel charge={charge} />}
      {isHeld(charge) && <Capture charge={charge} />}
      {refundable(charge) > 0 && <Refund charge={charge} />}
    </>
  );
}

/** Says what came of an act, and reads the charge again. A refusal of the provider is an error. */
function useOutcome() {
  const t = useTexts(CHARGE);
  const queries = useQueryClient();
  const toasts = useToasts();
  return (state: Operation['state'], done: 'captureDone' | 'cancelDone' | 'refundDone') => {
    void queries.invalidateQueries({ queryKey: ['gateway'] });
    if (state === 'FAILED') throw new Explained(t('refused'));
    toasts.say(t(state === 'SUCCEEDED' ? done : 'stillPending'));
  };
}

function Capture({ charge }: ActProps) {
  const t = useTexts(CHARGE);
  const { money } = useFormats();
  const { client } = useAccount();
  const outcome = useOutcome();
  const send = useSendOnce();
  const [amount, setAmount] = useState('');
  const { id, amount: most, currency } = charge;
  const fault = faultOf(amount, most);
  const rest = fault === null ? restOf(most, amount) : 0;
  const body = { amount: Number(amount) };
  const capture = async () => {
    const { state } = await send([id, body], (options) => client.gateway.charges.capture(id, body, options));
    outcome(state, 'captureDone');
  };
  return (
    <FormButton
      label={t('capture')}
      submit={t('capture')}
      look="primary"
      title={t('capture')}
      size="narrow"
      isDisabled={fault !== null || amount.trim() === ''}
      onSubmit={capture}
      call={() => ({
        request: `POST /gateway/charges/${id}/capture`,
        sdk: 'gateway.charges.capture',
        ids: [id],
        body,
      })}
    >
      <p>{t('captureText', { most: money(most, currency) })}</p>
      <Amount {...{ amount, most, currency }} onChange={setAmount} />
      {rest > 0 && <p role="status">{t('rest', { rest: money(rest, currency) })}</p>}
    </FormButton>
  );
}

function Refund({ charge }: ActProps) {
  const t = useTexts(CHARGE);
  const { money } = useFormats();
  const { client } = useAccount();
  const outcome = useOutcome();
  const send = useSendOnce();
  const [amount, setAmount] = useState('');
  const [reason, setReason] = useState('');
  const { id, currency } = charge;
  const most = refundable(charge);
  const fault = faultOf(amount, most);
  const rest = fault === null ? restOf(most, amount) : 0;
  const body = { amount: Number(amount), ...(reason.trim() !== '' && { reason: reason.trim() }) };
  const refund = async () => {
    const { state } = await send([id, body], (options) => client.gateway.charges.refund(id, body, options));
    outcome(state, 'refundDone');
    setAmount('');
    setReason('');
  };
  return (
    <FormButton
      label={t('refund')}
      submit={t('refund')}
      title={t('refund')}
      size="narrow"
      isDisabled={fault !== null || amount.trim() === ''}
      onSubmit={refund}
      call={() => ({
        request: `POST /gateway/charges/${id}/refund`,
        sdk: 'gateway.charges.refund',
        ids: [id],
        body,
      })}
    >
      <p>{t('refundText', { most: money(most, currency) })}</p>
      <Amount {...{ amount, most, currency }} onChange={setAmount} />
      {rest > 0 && <p role="status">{t('rest_refund', { rest: money(rest, currency) })}</p>}
      <TextInput label={t('reason')} value={reason} onChange={setReason} maxLength={500} />
    </FormButton>
  );
}

interface AmountProps {
  readonly amount: string;
  readonly most: number;
  readonly currency: string;
  readonly onChange: (amount: string) => void;
}

function Amount({ amount, most, currency, onChange }: AmountProps) {
  const t = useTexts(CHARGE);
  const p = useTexts(PAYMENTS);
  const { money } = useFormats();
  const fault = faultOf(amount, most);
  return (
    <>
      <Button className="button small" onPress={() => onChange(String(most))}>
        {t('all', { most: money(most, currency) })}
      </Button>
      <TextInput
        label={t('captureAmount')}
        kind="number"
        value={amount}
        onChange={onChange}
        problem={fault === null ? undefined : p(fault, { most: money(most, currency) })}
      />
    </>
  );
}

function Cancel({ charge: { id, amount, currency } }: ActProps) {
  const t = useTexts(CHARGE);
  const { money } = useFormats();
  const { client } = useAccount();
  const toasts = useToasts();
  const outcome = useOutcome();
  const cancelling = useMutation({
    mutationFn: async () => outcome((await client.gateway.charges.cancel(id)).state, 'cancelDone'),
    onError: (error) => toasts.fail(error),
  });
  return (
    <Confirm label={t('cancel')} title={t('cancelQuestion')} onConfirm={() => cancelling.mutate()}>
      {t('cancelText', { amount: money(amount, currency) })}
    </Confirm>
  );
}
