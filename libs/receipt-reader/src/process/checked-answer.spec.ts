import { checkedAnswer, checkedMessage } from './checked-answer';

const reading = {
  fields: { vendorName: 'Acme', total: 118 },
  confidence: { vendorName: 0.9, total: 1 },
  source: 'text',
  pages: 1,
};
const PLACE = { page: 2, x: 0.1, y: 0.25, width: 0.5, height: 1 };
const read = { kind: 'read', reading, text: 'Acme\nTotal 118' };

const withReadings = (changes: readonly object[]): [unknown][] =>
  changes.map((change) => [{ number: 7, answer: { ...read, reading: { ...reading, ...change } } }]);

describe('a message of a reader process', () => {
  it.each([
    [{ ready: true }],
    [{ number: 7, answer: read, cpuMs: 3.5 }],
    [{ number: 7, answer: { ...read, reading: { ...reading, pageCount: 3 } }, isPart: true }],
    [{ number: 7, answer: { ...read, reading: { ...reading, places: { total: PLACE } } } }],
    [
      {
        number: 7,
        answer: { ...read, reading: { ...reading, pageCount: 3, unreadablePages: 2 }, fault: 'x' },
      },
    ],
    [{ number: 7, answer: { ...read, reading: { ...reading, pages: 0, pageCount: 1 } } }],
    [{ number: 7, answer: { kind: 'unreadable', reason: 'damaged', message: 'it ends early' } }],
    [{ number: 7, answer: { kind: 'needs-recognition' } }],
    [{ number: 7, answer: { kind: 'failed', message: 'Error: x' } }],
  ])('that is valid is passed on unchanged: %j', (message) => {
    expect(checkedMessage(message)).toEqual(message);
  });

  it.each([
    [undefined],
    [null],
    ['ready'],
    [{ ready: 'yes' }],
    [{ number: '7', answer: read }],
    [{ number: 7 }],
    [{ number: 7, answer: { ...read, text: 7 } }],
    [{ number: 7, answer: { ...read, text: 'x'.repeat(100_001) } }],
    [{ number: 7, answer: { ...read, reading: null } }],
    [{ number: 7, answer: { ...read, reading: { ...reading, fields: null } } }],
    [{ number: 7, answer: { ...read, reading: { ...reading, source: 'elsewhere' } } }],
    [{ number: 7, answer: { ...read, reading: { ...reading, pages: '1' } } }],
    ...withReadings([-1, 0.5, 11].map((pages) => ({ pages }))),
    ...withReadings([-1, 0, 1, 1.5, 2 ** 31, '3', null].map((pageCount) => ({ pageCount }))),
    ...withReadings([0, 3, '1'].map((unreadablePages) => ({ pageCount: 3, unreadablePages }))),
    [{ number: 7, answer: { kind: 'failed', message: 'x' }, isPart: true }],
    [{ number: 7, answer: { kind: 'unreadable', reason: 'because', message: 'x' } }],
    [{ number: 7, answer: { kind: 'other', message: 'x' } }],
  ])('is invalid: %j', (message) => {
    expect(checkedMessage(message)).toBeNull();
  });

  it.each([
    ['no object', 7],
    ['a side beyond the page', { ...PLACE, x: 1.5 }],
    ['a side that is no number', { ...PLACE, height: '1' }],
    ['a page that is no number', { ...PLACE, page: 'one' }],
    ['a page before the first', { ...PLACE, page: 0 }],
    ['a property more', { ...PLACE, toJSON: 'x' }],
    ['a property less', { page: 1, x: 0, y: 0, width: 1 }],
  ])('drops a place with %s', (_, place) => {
    const sent = { ...read, reading: { ...reading, places: { total: place, tax: PLACE } } };
    expect(checkedAnswer(sent)).toEqual({ ...read, reading: { ...reading, places: { tax: PLACE } } });
  });

  it('keeps only the fields of a receipt, as text and numbers', () => {
    const fields = { vendorName: { evil: true }, total: Infinity, tax: 18, toJSON: 'x', constructor: 'y' };
    const sent = { ...read, reading: { ...reading, fields, confidence: { total: 'high', tax: 1 } } };
    expect(checkedAnswer(sent)).toEqual({
      ...read,
      reading: { ...reading, fields: { tax: 18 }, confidence: { tax: 1 } },
    });
  });
});
