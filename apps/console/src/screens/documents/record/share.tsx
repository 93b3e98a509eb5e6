import type { AnswerOf } from '@counterfoil/sdk';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { Checkbox } from 'react-aria-components';
import { useFormats, useTexts } from '../../../app/locale.tsx';
import { useAccount } from '../../../app/session.tsx';
import { CodeSample } from '../../../parts/code-sample.tsx';
import { TextInput } from '../../../parts/fields.tsx';
import { FROM_ANSWER } from '../../../parts/form-call.ts';
import { FormDialog } from '../../../parts/form-dialog.tsx';
import { useSendOnce } from '../../../parts/send-once.ts';
import { DOCUMENTS } from '../texts.ts';
import { type Document, isPayable } from '../types.ts';
import { sharesKey } from './shares.tsx';
import { type Stamp, StampChoice } from './stamp-choice.tsx';
import { RECORD } from './texts.ts';

const DAYS = '30';

interface ShareDialogProps {
  readonly document: Document;
  readonly onClose: () => void;
}

/** Makes a link to the document, and shows it once. */
export function ShareDialog({ document, onClose }: ShareDialogProps) {
  const t = useTexts(RECORD);
  const { time, money } = useFormats();
  const { client } = useAccount();
  const queries = useQueryClient();
  const sendOnce = useSendOnce();
  const [days, setDays] = useState(DAYS);
  const [stamp, setStamp] = useState<Stamp | null>(null);
  const [share, setShare] = useState<AnswerOf<'POST /documents/id/{id}/share'>>();
  const payment = usePaymentPage(document);
  const { visibleId: id } = document;
  const asked = { expiresInDays: Number(days), stamp };
  const makeLink = async () => {
    const paymentPageId = await payment.pageId();
    const body = { ...asked, ...(paymentPageId !== null && { paymentPageId }) };
    try {
      // The first link takes the only original.
      setShare(await sendOnce({ id, body }, (options) => client.documents.share(id, body, options)));
    } finally {
      // A link whose answer was lost is in the list, too.
      void queries.invalidateQueries({ queryKey: sharesKey(id) });
    }
    return false;
  };
  return (
    <FormDialog
      title={t('share')}
      label={share ? t('done') : t('share')}
      onClose={onClose}
      onSubmit={share ? () => Promise.resolve() : makeLink}
      call={() => ({
        request: `POST /documents/id/${id}/share`,
        sdk: 'documents.share',
        ids: [id],
        body: { ...asked, ...(payment.isWanted && { paymentPageId: FROM_ANSWER }) },
        first: payment.call,
      })}
      isDisabled={!/^[1-9]\d{0,2}$/.test(days)}
      isDone={share !== undefined}
    >
      <p>{t('shareText')}</p>
      {share ? (
        <>
          <CodeSample title={t('link')} text={share.url} />
          <p className="quiet-text">{t('until', { time: time(share.expiresAt), stamp: t(share.stamp) })}</p>
        </>
      ) : (
        <>
          <TextInput label={t('days')} kind="number" value={days} onChange={setDays} />
          <StampChoice value={stamp} onChange={setStamp} />
          {payment.isOffered && (
            <Checkbox className="checkbox" isSelected={payment.isWanted} onChange={payment.want}>
              <span className="check" aria-hidden="true" />
              <span>{t('withPayment', { amount: money(document.remainingAmount, document.currency) })}</span>
            </Checkbox>
          )}
        </>
      )}
    </FormDialog>
  );
}

/** A page of the gateway on which what is left of the document can be paid. */
function usePaymentPage({ type, isOpen, number, remainingAmount, currency, entity }: Document) {
  const types = useTexts(DOCUMENTS);
  const { client } = useAccount();
  const [isWanted, want] = useState(false);
  const made = useRef<number>(null);
  const mayBePaid = isOpen && isPayable(type) && remainingAmount > 0;
  const providers = useQuery({
    queryKey: ['gateway', 'providers'],
    queryFn: async () => (await client.gateway.providers.list()).data,
    enabled: mayBePaid,
  });
  const body = {
    amount: remainingAmount,
    currency,
    description: types('number', { type: types(type), number: String(number) }),
    entityId: entity.id,
  };
  const pageId = async () => {
    if (!isWanted) return null;
    // Kept for the next try if the link cannot be made. Nobody has the address of the page, so it is harmless.
    made.current ??= (await client.gateway.paymentPages.create(body)).paymentPageId;
    return made.current;
  };
  const call = isWanted
    ? {
        ...{ request: 'POST /gateway/payments/payment-pages', sdk: 'gateway.paymentPages.create', body },
        answer: 'paymentPageId',
      }
    : undefined;
  return { isOffered: mayBePaid && (providers.data?.length ?? 0) > 0, isWanted, want, pageId, call };
}
