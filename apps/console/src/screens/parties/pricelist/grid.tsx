import { Button } from 'react-aria-components';
import { useFormats, useTexts } from '../../../app/locale.tsx';
import { Choice, TextInput } from '../../../parts/fields.tsx';
import { Icon } from '../../../parts/icon.tsx';
import { type EntryDraft, type EntryProblem, NEW_TIER, type TierDraft } from './entries.ts';
import { PRICELIST } from './texts.ts';

const MODES = ['default', 'fixed', 'tiers', 'steps'] as const;
const KINDS = ['fixed', 'percent', 'amount'] as const;

interface GridProps {
  readonly entries: readonly EntryDraft[];
  /** Of each entry. */
  readonly problems: readonly (readonly EntryProblem[])[];
  /** Null for those who may not write. */
  readonly onChange: ((entries: readonly EntryDraft[]) => void) | null;
}

/** The entries of a pricelist, each checked as it is typed. */
export function Grid({ entries, problems, onChange }: GridProps) {
  const t = useTexts(PRICELIST);
  const titles = [t('product'), t('vendorSku'), t('mode'), t('price')];
  return (
    <div className="table-scroll" tabIndex={0} role="region" aria-label={t('product')}>
      <table className="grid">
        <thead>
          <tr>
            {titles.map((title) => (
              <th key={title} scope="col">
                {title}
              </th>
            ))}
            {onChange && (
              <th scope="col">
                <span className="unseen">{t('remove', { name: '' })}</span>
              </th>
            )}
          </tr>
        </thead>
        <tbody>
          {entries.map((entry, index) => (
            <EntryRow
              key={`${entry.productId}-${index}`}
              entry={entry}
              problems={(problems[index] ?? []).map(({ text, values }) => t(text, values))}
              onChange={
                onChange && ((next) => onChange(entries.flatMap((one, at) => (at === index ? next : [one]))))
              }
            />
          ))}
        </tbody>
      </table>
    </div>
  );
}

interface EntryRowProps {
  readonly entry: EntryDraft;
  readonly problems: readonly string[];
  /** Takes what replaces the entry: one, or none. */
  readonly onChange: ((entries: readonly EntryDraft[]) => void) | null;
}

function EntryRow({ entry, problems, onChange }: EntryRowProps) {
  const t = useTexts(PRICELIST);
  const name = entry.productName;
  const put = (part: Partial<EntryDraft>) => onChange?.([{ ...entry, ...part }]);
  return (
    <tr>
      <td className="text-cell" data-title={t('product')}>
        <span className="plain">
          <bdi className="strong clip">{name}</bdi> <bdi className="quiet-text clip">{entry.productSku}</bdi>
        </span>
        {problems.map((problem) => (
          <p key={problem} className="problem" role="alert">
            {problem}
          </p>
        ))}
      </td>
      <td data-title={t('vendorSku')}>
        {onChange ? (
          <TextInput
            label={`${t('vendorSku')}: ${name}`}
            isLabelHidden
            kind="code"
            maxLength={100}
            value={entry.vendorSku}
            onChange={(vendorSku) => put({ vendorSku })}
          />
        ) : (
          <bdi>{entry.vendorSku || '—'}</bdi>
        )}
      </td>
      <td data-title={t('mode')}>
        {onChange ? (
          <Choice
            label={`${t('mode')}: ${name}`}
            isLabelHidden
            value={entry.mode}
            options={MODES.map((value) => ({ value, text: t(value) }))}
            onChange={(mode) => put(withMode(entry, mode))}
          />
        ) : (
          t(entry.mode)
        )}
      </td>
      <td data-title={t('price')}>
        {onChange ? <Prices entry={entry} put={put} /> : <PricesAsText entry={entry} />}
      </td>
      {onChange && (
        <td>
          <Button
            className="button quiet small"
            aria-label={t('remove', { name })}
            onPress={() => onChange([])}
          >
            <Icon name="close" />
          </Button>
        </td>
      )}
    </tr>
  );
}

const withMode = ({ tiers }: EntryDraft, mode: EntryDraft['mode']): Partial<EntryDraft> =>
  mode === 'tiers' && tiers.length === 0 ? { mode, tiers: [NEW_TIER] } : { mode };

interface PricesProps {
  readonly entry: EntryDraft;
  readonly put: (part: Partial<EntryDraft>) => void;
}

function Prices({ entry, put }: PricesProps) {
  const t = useTexts(PRICELIST);
  const { number } = useFormats();
  const { mode, price, tiers, productPrice, productName } = entry;
  const numeric = (label: string, value: string, onChange: (value: string) => void, isHidden = false) => (
    <TextInput
      label={isHidden ? `${label}: ${productName}` : label}
      kind="number"
      value={value}
      onChange={onChange}
      isLabelHidden={isHidden}
    />
  );
  if (mode === 'default')
    return (
      <span className="plain quiet-text">{productPrice === null ? t('noPrice') : number(productPrice)}</span>
    );
  if (mode === 'fixed') return numeric(t('price'), price, (value) => put({ price: value }), true);
  if (mode === 'steps')
    return (
      <div className="tier">
        {numeric(t('step'), entry.step, (step) => put({ step }))}
        {numeric(t('stepPrice'), entry.stepPrice, (stepPrice) => put({ stepPrice }))}
      </div>
    );
  const putTier = (index: number, next: readonly TierDraft[]) =>
    put({ tiers: tiers.flatMap((one, at) => (at === index ? next : [one])) });
  return (
    <div className="tiers">
      <div className="tier">{numeric(t('base'), price, (value) => put({ price: value }))}</div>
      {tiers.map((tier, index) => (
        <fieldset key={index} className="tier">
          <legend className="unseen">{index + 1}</legend>
          {numeric(t('from'), tier.from, (from) => putTier(index, [{ ...tier, from }]))}
          {numeric(t('to'), tier.to, (to) => putTier(index, [{ ...tier, to }]))}
          <Choice
            label={t('kind')}
            value={tier.kind}
            options={KINDS.map((value) => ({ value, text: t(`kind_${value}`) }))}
            onChange={(kind) => putTier(index, [{ ...tier, kind: kind }])}
          />
          {numeric(t('value'), tier.value, (value) => putTier(index, [{ ...tier, value }]))}
          <Button
            className="button quiet small"
            aria-label={t('removeTier', { tier: index + 1 })}
            onPress={() => putTier(index, [])}
          >
            <Icon name="close" />
          </Button>
        </fieldset>
      ))}
      <Button className="button small" onPress={() => put({ tiers: [...tiers, NEW_TIER] })}>
        {t('addTier')}
      </Button>
    </div>
  );
}

function PricesAsText({ entry }: { readonly entry: EntryDraft }) {
  const t = useTexts(PRICELIST);
  const { mode, price, productPrice, tiers, step, stepPrice } = entry;
  if (mode === 'default') return <bdi>{productPrice ?? t('noPrice')}</bdi>;
  if (mode === 'fixed') return <bdi>{price}</bdi>;
  if (mode === 'steps') return <bdi>{`${stepPrice} / ${step}`}</bdi>;
  return tiers.map(({ from, to, kind, value }) => (
    <p key={from}>
      <bdi>{`${from}–${to}`}</bdi> <bdi className="strong">{value}</bdi> {t(`kind_${kind}`)}
    </p>
  ));
}
