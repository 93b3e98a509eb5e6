import { plainTextPage } from '../text/plain-text-page';
import { Arithmetic } from './arithmetic';
import { findAmounts, taxRates } from './money';
import { toSheet } from './sheet';

function evidence(text: string, cents: number) {
  const sheet = toSheet([plainTextPage(text)], 'text', '2026-01-01');
  const amounts = findAmounts(sheet);
  const amount = amounts.findLast((one) => one.cents === cents);
  if (!amount) throw new Error('no such amount');
  return Object.keys(new Arithmetic(amounts, taxRates(sheet, amounts)).ofTotal(amount));
}

describe('a total is supported', () => {
  it('by net and tax', () => {
    const text = 'Net amount     100.00\nVAT 20%         20.00\nTotal          120.00';
    expect(evidence(text, 12000)).toEqual(expect.arrayContaining(['sum:net+tax', 'sum:rate']));
    expect(evidence(text, 10000)).toContain('sum:isNet');
  });

  it('by net and tax on a credit note too', () => {
    const text = 'CREDIT NOTE\nNet amount   -£240.00\nVAT 20%   -£48.00\nTotal   -£288.00';
    const sheet = toSheet([plainTextPage(text)], 'text', '2026-01-01');
    const amounts = findAmounts(sheet);
    const total = amounts.at(-1);
    if (total?.cents !== -28800) throw new Error('no such amount');
    expect(new Arithmetic(amounts, taxRates(sheet, amounts)).ofCredit(total)).toMatchObject({
      'sum:net+tax': 1,
    });
  });

  it('by a tax rate that is included in it', () => {
    expect(evidence('Fee paid   11.50\nincl. VAT 23%   2.15', 1150)).toContain('sum:included');
  });

  it('by no rate if any two amounts would fit', () => {
    expect(evidence('Total      3.00\nTea        1.30\nCake       1.70', 300)).not.toContain('sum:rate');
  });

  it('by cash less change', () => {
    expect(evidence('TOTAL   8.30\nCASH   10.00\nCHANGE   1.70', 830)).toContain('sum:cashChange');
  });

  it('before and after rounding, which are distinguished', () => {
    const text = 'TOTAL        8.48\nROUNDING     0.02\nNETT TOTAL   8.50';
    expect(evidence(text, 850)).toContain('sum:rounded');
    expect(evidence(text, 848)).toContain('sum:beforeRounding');
  });

  it('by the sum of the items', () => {
    expect(evidence('Tea     1.20\nCake    3.40\nSoup    5.00\nTOTAL   9.60', 960)).toContain('sum:items');
  });

  it('by the sum of subtotals', () => {
    const text = 'TOTAL A   31.78\nTOTAL B    8.40\nTOTAL PAYABLE   40.18';
    expect(evidence(text, 4018)).toContain('sum:totals');
    expect(evidence(text, 3178)).toContain('sum:part');
  });

  it('but the rest after a deposit is not the total', () => {
    expect(evidence('Total TTC   737,00\nAcompte    200,00\nNet à payer   537,00', 73700)).toContain(
      'sum:beforeDeposit',
    );
  });
});
