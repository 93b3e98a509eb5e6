import type { AnswerOf } from '@counterfoil/sdk';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { Button, Form } from 'react-aria-components';
import { useFormats, useTexts } from '../../../app/locale.tsx';
import { useAccount } from '../../../app/session.tsx';
import { ApiCall } from '../../../parts/api-call.tsx';
import { ErrorNotice } from '../../../parts/error-notice.tsx';
import { Facts, Section } from '../../../parts/facts.tsx';
import { Choice, TextInput } from '../../../parts/fields.tsx';
import { type EntryDraft, isAmount } from './entries.ts';
import { PRICELIST } from './texts.ts';

interface QuoteProps {
  readonly vendor: string;
  /** Those of the saved list. */
  readonly entries: readonly EntryDraft[];
}

/** Asks what a quantity costs. */
export function Quote({ vendor, entries }: QuoteProps) {
  const t = useTexts(PRICELIST);
  const { client } = useAccount();
  const [product, setProduct] = useState(String(entries[0]?.productId ?? ''));
  const [quantity, setQuantity] = useState('1');
  const productId = Number(product);
  const asking = useMutation({
    mutationFn: () => client.pricelists.quote(vendor, { productId, quantity: quantity.trim() }),
  });
  const path = `/vendors/id/${vendor}/pricelist/quote?productId=${product}&quantity=${quantity.trim()}`;
  const call = (
    <ApiCall
      request={`GET ${path}`}
      sdk={`await counterfoil.pricelists.quote(${JSON.stringify(vendor)}, { productId: ${product}, quantity: ${JSON.stringify(quantity.trim())} });`}
    />
  );
  return (
    <Section title={t('quote')} actions={call}>
      <Form
        className="filters"
        onSubmit={(event) => {
          event.preventDefault();
          asking.mutate();
        }}
      >
        <Choice
          label={t('product')}
          value={product}
          onChange={(value) => {
            setProduct(value);
            asking.reset();
          }}
          options={entries.map((entry) => ({
            value: String(entry.productId),
            text: `${entry.productName.slice(0, 60)} · ${entry.productSku}`,
          }))}
        />
        <TextInput
          label={t('quantity')}
          kind="number"
          value={quantity}
          onChange={(value) => {
            setQuantity(value);
            asking.reset();
          }}
        />
        <Button
          type="submit"
          className="button"
          isDisabled={!isAmount(quantity) || Number(quantity) === 0 || asking.isPending}
        >
          {t('ask')}
        </Button>
      </Form>
      <div aria-live="polite">
        {asking.error && <ErrorNotice error={asking.error} />}
        {asking.data && <Answer answer={asking.data} />}
      </div>
      <p className="quiet-text">{t('quoteText')}</p>
    </Section>
  );
}

interface AnswerProps {
  readonly answer: AnswerOf<'GET /vendors/id/{visibleId}/pricelist/quote'>;
}

function Answer({ answer }: AnswerProps) {
  const t = useTexts(PRICELIST);
  const { number } = useFormats();
  const price = (value: number | null) => (value === null ? t('noPrice') : number(value));
  return (
    <Facts
      facts={[
        { name: t('unit'), value: price(answer.unitPrice) },
        { name: t('total'), value: price(answer.total) },
        { name: t('source'), value: t(answer.source) },
      ]}
    />
  );
}
