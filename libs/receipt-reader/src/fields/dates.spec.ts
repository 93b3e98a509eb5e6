import { dateOrderOf, findDates } from './dates';

const dates = (text: string, order: 'day-first' | 'month-first' = 'day-first', recognised = false) =>
  findDates(text, order, recognised).map(({ date }) => date);

describe('dates', () => {
  it.each([
    ['19-03-2018 11:12', '2018-03-19'],
    ['31/03/17', '2017-03-31'],
    ['05.03.2018', '2018-03-05'],
    ['2021-01-02', '2021-01-02'],
    ['20200115', '2020-01-15'],
    ['25/FEB/2017', '2017-02-25'],
    ['10 JUN 2018', '2018-06-10'],
    ['05May201818:21', '2018-05-05'],
    ['02/03/1805: 16 PM', '2018-03-02'],
    ['7. Mai 2014', '2014-05-07'],
    ['02 Juillet 2015', '2015-07-02'],
    ['5 de marzo de 2024', '2024-03-05'],
    ['August 3 , 2014', '2014-08-03'],
    ['December 22, 2025', '2025-12-22'],
    ['26 באוקטובר 2026', '2026-10-26'],
    ['3 במרץ 2024', '2024-03-03'],
    ['15 stycznia 2024', '2024-01-15'],
    ['19/05/16', '2016-05-19'],
  ])('reads %s', (text, expected) => {
    expect(dates(text)).toEqual([expected]);
  });

  it('reads unambiguous dates in either order', () => {
    expect(dates('12/28/2017')).toEqual(['2017-12-28']);
    expect(dates('28/12/2017', 'month-first')).toEqual(['2017-12-28']);
  });

  it('reads dates with points day-first in any document', () => {
    expect(dates('05.03.2018', 'month-first')).toEqual(['2018-03-05']);
  });

  it('marks ambiguous dates', () => {
    expect(findDates('03/04/2018', 'day-first', false)[0]).toMatchObject({
      date: '2018-04-03',
      ambiguous: true,
    });
    expect(findDates('04/04/2018', 'day-first', false)[0]).toMatchObject({ ambiguous: false });
  });

  it('finds no date in impossible dates, versions and phone numbers', () => {
    expect(dates('31/02/2018 03-7859 9863 1.2.3')).toEqual([]);
  });

  it('repairs a recognised date', () => {
    expect(dates('l9/O3/2O18', 'day-first', true)).toEqual(['2018-03-19']);
    expect(dates('19 april 20 14', 'day-first', true)).toEqual(['2014-04-19']);
  });

  it.each([
    ['03/04/2018', 'day-first'],
    ['03/20/2018 and 03/04/2018', 'month-first'],
    ['20/03/2018, Portland, OR 97205', 'day-first'],
    ['03/04/2018, Portland, OR 97205', 'month-first'],
    ['Date (MM/DD/YYYY) 03/04/2018', 'month-first'],
  ])('has for "%s" the order %s', (text, order) => {
    expect(dateOrderOf(text)).toBe(order);
  });
});

describe('the order of day and month', () => {
  it('is the one in which the dates are close together', () => {
    expect(dateOrderOf('Date 04/09/2019, due 11/09/2019, Denver, CO 80202')).toBe('day-first');
    expect(dateOrderOf('Date 09/04/2019, due 09/11/2019')).toBe('month-first');
  });

  it('is not that of the United States if the tax is of another country', () => {
    expect(dateOrderOf('Bill to: Denver, CO 80202. Date 04/09/2019. VAT 20.00')).toBe('day-first');
    expect(dateOrderOf('Denver, CO 80202. Date 04/09/2019. Sales tax 20.00')).toBe('month-first');
  });
});
