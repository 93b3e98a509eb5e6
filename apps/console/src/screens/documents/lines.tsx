import { useFormats, useTexts } from '../../app/locale.tsx';
import { DOCUMENTS } from './texts.ts';
import type { Document } from './types.ts';

interface LinesOf extends Pick<Document, 'items' | 'payments' | 'currency' | 'withholding'> {
  readonly amount: number;
  readonly tax: number;
  readonly rounding: number;
  readonly totalWithTax: number;
}

/** Lines, payments and totals of a document, or of the preview of one. */
export function Lines({ of }: { readonly of: LinesOf }) {
  const t = useTexts(DOCUMENTS);
  const { money, date, number } = useFormats();
  const { items, payments, currency, rounding } = of;
  return (
    <>
      {items.length > 0 && <Items items={items} currency={currency} />}
      {payments.length > 0 && (
        <dl className="totals">
          {payments.map(({ method, amount, date: day, note }, index) => (
            <div key={index} className="fact">
              <dt>
                {t(method)}, {date(day)}
                {note !== null && (
                  <>
                    {', '}
                    <bdi className="wraps">{note}</bdi>
                  </>
                )}
              </dt>
              <dd>{money(amount, currency)}</dd>
            </div>
          ))}
        </dl>
      )}
      <dl className="totals">
        {items.length > 0 && (
          <>
            <dt>{t('amount')}</dt>
            <dd>{money(of.amount, currency)}</dd>
            <dt>{t('tax')}</dt>
            <dd>{money(of.tax, currency)}</dd>
          </>
        )}
        {rounding !== 0 && (
          <>
            <dt>{t('rounding')}</dt>
            <dd>{money(rounding, currency)}</dd>
          </>
        )}
        <dt className="sum">{t('withTax')}</dt>
        <dd className="sum">{money(of.totalWithTax, currency)}</dd>
        {of.withholding && (
          <>
            <dt>{t('withheld', { rate: number(of.withholding.rate) })}</dt>
            <dd>{money(of.withholding.amount, currency)}</dd>
          </>
        )}
      </dl>
    </>
  );
}

function Items({ items, currency }: Pick<LinesOf, 'items' | 'currency'>) {
  const t = useTexts(DOCUMENTS);
  const { money, number } = useFormats();
  return (
    <div className="table-scroll" tabIndex={0} role="region" aria-label={t('items')}>
      <table>
        <thead>
          <tr>
            <th scope="col">{t('description')}</th>
            <th scope="col" className="number">
              {t('quantity')}
            </th>
            <th scope="col" className="number">
              {t('unitPrice')}
            </th>
            <th scope="col" className="number">
              {t('vat')}
            </th>
            <th scope="col" className="number">
              {t('lineTotal')}
            </th>
          </tr>
        </thead>
        <tbody>
          {items.map((item, index) => (
            <tr key={index}>
              <td>
                <bdi className="wraps">{item.description}</bdi>
                {item.discountPercent > 0 && <span className="badge">−{number(item.discountPercent)}%</span>}
              </td>
              <td className="number">{number(item.quantity)}</td>
              <td className="number">{number(item.unitPrice)}</td>
              <td className="number">{number(item.vatRate)}</td>
              <td className="number">{money(item.lineTotal, currency)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
