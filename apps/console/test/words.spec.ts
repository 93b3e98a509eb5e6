import { sayIn } from './words';

const english = sayIn('en');
const hebrew = sayIn('he');

it('says a text of the console in each language', () => {
  expect(english('Sign out')).toBe('Sign out');
  expect(hebrew('Sign out')).toBe('יציאה');
});

it('fills in values, and translates those that are texts of the console', () => {
  expect(hebrew('Pays Tax invoice 1.')).toBe('תשלום על חשבונית מס 1.');
  expect(hebrew('from Main warehouse')).toBe('מתוך Main warehouse');
  expect('VISA ending in 0002 (4)').not.toMatch(english('Remove VISA ending in 0002 (4)'));
  expect(hebrew('Remove VISA ending in 0002 (4)')).toBe('הסרה: כרטיס VISA שמסתיים ב־0002 (4)');
});

it('writes amounts as the language does', () => {
  expect(english('₪1,037.90 is released.')).toBe('₪1,037.90 is released.');
  expect('\u200F1,037.90\u00A0\u200F₪ ישתחררו.').toMatch(hebrew('₪1,037.90 is released.'));
  expect('1,037.90 ₪ ישתחררו.').toMatch(hebrew('₪1,037.90 is released.'));
});

it('takes any value for a placeholder', () => {
  expect('סיום תשלום חוזר 7').toMatch(hebrew('End recurring payment {id}'));
  expect('End recurring payment').not.toMatch(english('End recurring payment {id}'));
});

it('takes any of the translations of the same English, or of the whole text only', () => {
  expect(['הצעת מחיר', 'חישוב', 'הזמנה'].filter((text) => hebrew.exactly('Quote').test(text))).toEqual([
    'הצעת מחיר',
    'חישוב',
  ]);
  expect('הצעת מחיר 1').toMatch(hebrew('Quote'));
  expect('הצעת מחיר 1').not.toMatch(hebrew.exactly('Quote'));
  expect(() => hebrew.plain('Quote')).toThrow('several ways');
});

it.each(['Sign uot', 'Tax invioce 1', 'Pays Tax invoice 1', 'sign out'])('knows no text "%s"', (text) => {
  expect(() => english(text)).toThrow(text);
  expect(() => hebrew(text)).toThrow(text);
});
