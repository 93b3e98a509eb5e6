import type { BodyOf } from '@counterfoil/sdk';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useFormats, useTexts } from '../../../app/locale.tsx';
import { useAccount } from '../../../app/session.tsx';
import { Choice, TextInput } from '../../../parts/fields.tsx';
import { FormDialog } from '../../../parts/form-dialog.tsx';
import { RECORDS } from '../../../parts/record-messages.ts';
import { useSendOnce } from '../../../parts/send-once.ts';
import { useToasts } from '../../../parts/toasts.tsx';
import { type Amounts, type Effect, effectOf, isLow, MOVEMENT_TYPES, type MovementType } from '../effect.ts';
import { useWarehouses, type Warehouse } from '../names.ts';
import type { StockRecord } from '../records.tsx';
import { STOCK } from '../texts.ts';

const isPossible = (record: StockRecord, type: MovementType, moved: number | null): boolean =>
  moved !== null && effectOf(type, moved, amountsOf(record)).short === null;

interface MoveProps {
  readonly record: StockRecord;
  readonly siblings: readonly StockRecord[];
  readonly onClose: () => void;
}

const TEXTS = ['unitPrice', 'referenceId', 'referenceType', 'reason', 'notes'] as const;
type Texts = Readonly<Record<(typeof TEXTS)[number], string>>;
const LENGTHS = { unitPrice: 20, referenceId: 15, referenceType: 50, reason: 500, notes: 2000 } as const;
/** The numbers among the texts, and which fault of them is said. */
const NUMBERS = {
  unitPrice: [/^\d+(\.\d+)?$/, 'number'],
  referenceId: [/^\d+$/, 'whole'],
} as const;

const isNumeric = (name: keyof Texts): name is keyof typeof NUMBERS => name in NUMBERS;

function faultOf(name: keyof Texts, text: string): 'number' | 'whole' | null {
  if (!isNumeric(name)) return null;
  const [form, fault] = NUMBERS[name];
  return text.trim() === '' || form.test(text.trim()) ? null : fault;
}

const EMPTY: Texts = { unitPrice: '', referenceId: '', referenceType: '', reason: '', notes: '' };

const isQuantity = (text: string) => /^\d{1,10}(\.\d{1,4})?$/.test(text.trim()) && Number(text) > 0;
const amountsOf = (record: StockRecord | undefined): Amounts => ({
  quantity: record?.quantity ?? 0,
  reserved: record?.reservedQuantity ?? 0,
});

/** Records a movement. Shows its effect before. */
export function Move({ record, siblings, onClose }: MoveProps) {
  const t = useTexts(STOCK);
  const common = useTexts(RECORDS);
  const { client } = useAccount();
  const queries = useQueryClient();
  const toasts = useToasts();
  const sendOnce = useSendOnce();
  const { all } = useWarehouses();
  const others = all.filter(({ id }) => id !== record.warehouseId);
  const [type, setType] = useState<MovementType>('ADD');
  const [quantity, setQuantity] = useState('');
  const [chosen, setChosen] = useState('');
  const [texts, setTexts] = useState(EMPTY);
  const target = chosen || String(others[0]?.id ?? '');
  const isTransfer = type === 'TRANSFER';
  const moved = isQuantity(quantity) ? Number(quantity) : null;
  const body = bodyOf({ record, type, moved: moved ?? 0, target: isTransfer ? target : '' }, texts);
  const send = async () => {
    await sendOnce(body, (options) => client.stock.move(body, options));
    toasts.say(t('recorded'));
    void queries.invalidateQueries({ queryKey: ['stock'] });
  };
  const problemOf = (name: keyof Texts) => {
    const fault = faultOf(name, texts[name]);
    return fault === null ? undefined : common(fault);
  };
  const isWrong = TEXTS.some((name) => problemOf(name) !== undefined);
  const isRefused = isWrong || !isPossible(record, type, moved) || (isTransfer && target === '');
  return (
    <FormDialog
      title={t('move')}
      label={t('record')}
      onClose={onClose}
      onSubmit={send}
      call={() => ({ request: 'POST /inventory/movements/create', sdk: 'stock.move', body })}
      isDisabled={isRefused}
    >
      <div className="form-grid">
        <Choice
          label={t('type')}
          value={type}
          onChange={setType}
          options={MOVEMENT_TYPES.map((value) => ({ value, text: t(value) }))}
        />
        <TextInput label={t('moved')} kind="number" value={quantity} onChange={setQuantity} />
        {isTransfer && <Target {...{ others, target }} onChange={setChosen} />}
      </div>
      <Effects {...{ record, siblings, type, moved, target }} />
      <div className="form-grid">
        {TEXTS.map((name) => (
          <TextInput
            key={name}
            label={t(name === 'unitPrice' ? 'price' : name)}
            kind={isNumeric(name) ? 'number' : 'text'}
            maxLength={LENGTHS[name]}
            value={texts[name]}
            problem={problemOf(name)}
            onChange={(value) => setTexts({ ...texts, [name]: value })}
          />
        ))}
      </div>
    </FormDialog>
  );
}

interface TargetProps {
  readonly others: readonly Warehouse[];
  readonly target: string;
  readonly onChange: (target: string) => void;
}

function Target({ others, target, onChange }: TargetProps) {
  const t = useTexts(STOCK);
  if (others.length === 0) return <p className="note">{t('onlyWarehouse')}</p>;
  const options = others.map(({ id, name }) => ({ value: String(id), text: name.slice(0, 80) }));
  return <Choice label={t('target')} value={target} onChange={onChange} options={options} />;
}

interface EffectsProps {
  readonly record: StockRecord;
  readonly siblings: readonly StockRecord[];
  readonly type: MovementType;
  /** Null while no quantity is entered. */
  readonly moved: number | null;
  readonly target: string;
}

/** The effect of a movement on its record, and on that of the other warehouse. */
function Effects({ record, siblings, type, moved, target }: EffectsProps) {
  const t = useTexts(STOCK);
  const { nameOf } = useWarehouses();
  if (moved === null)
    return (
      <section className="sent" aria-live="polite" aria-label={t('effect')}>
        <p className="quiet-text">{t('effectStart')}</p>
      </section>
    );
  const effect = effectOf(type, moved, amountsOf(record));
  const there = amountsOf(siblings.find(({ warehouseId }) => String(warehouseId) === target));
  return (
    <section className="sent" aria-live="polite" aria-label={t('effect')}>
      <EffectShown title={t('effect')} before={amountsOf(record)} after={effect} />
      {effect.short === null && !isLow(record) && isLowAfter(record, effect) && (
        <p className="note">{t('becomesLow')}</p>
      )}
      {type === 'TRANSFER' && effect.short === null && target !== '' && (
        <EffectShown
          title={t('effectThere', { warehouse: nameOf(Number(target)) })}
          before={there}
          after={effectOf('ADD', moved, there)}
        />
      )}
    </section>
  );
}

const isLowAfter = ({ lowStockThreshold }: StockRecord, { available }: Effect) =>
  lowStockThreshold !== null && available <= lowStockThreshold;

interface Moved {
  readonly record: StockRecord;
  readonly type: MovementType;
  readonly moved: number;
  readonly target: string;
}

function bodyOf(
  { record, type, moved, target }: Moved,
  texts: Texts,
): BodyOf<'POST /inventory/movements/create'> {
  const body: Record<string, unknown> = { inventoryId: record.id, movementType: type, quantity: moved };
  if (target !== '') body['targetWarehouseId'] = Number(target);
  for (const name of TEXTS) {
    const text = texts[name].trim();
    if (text !== '') body[name] = isNumeric(name) ? Number(text) : text;
  }
  return body as unknown as BodyOf<'POST /inventory/movements/create'>;
}

interface EffectShownProps {
  readonly title: string;
  readonly before: Amounts;
  readonly after: Effect;
}

function EffectShown({ title, before, after }: EffectShownProps) {
  const t = useTexts(STOCK);
  const { number } = useFormats();
  const { short } = after;
  const rows = [
    [t('quantity'), before.quantity, after.quantity],
    [t('reserved'), before.reserved, after.reserved],
    [t('available'), before.quantity - before.reserved, after.available],
  ] as const;
  return (
    <>
      <h3>{title}</h3>
      {short ? (
        <p className="problem">
          {t('refused')} {t(`short_${short.of}`, { most: number(short.most) })}
        </p>
      ) : (
        <dl className="effect">
          {rows.map(([name, old, now]) => (
            <div key={name}>
              <dt>{name}</dt>
              <dd>
                {old !== now && (
                  <>
                    <bdi>{number(old)}</bdi> {t('arrow')}{' '}
                  </>
                )}
                <bdi>{number(now)}</bdi>
              </dd>
            </div>
          ))}
        </dl>
      )}
    </>
  );
}
