import { checksOf } from '../http/field';
import { EditCompanyBody } from './company.schemas';

const problemOf = (footer: string) => checksOf(EditCompanyBody).get('documentFooter')?.(footer);
const lines = (count: number, end: string) => Array.from({ length: count }, () => 'a').join(end);

describe('the footer of documents', () => {
  it.each(['\n', '\r', '\r\n', '\v', '\f', '\u0085', '\u2028', '\u2029'])(
    'has at most six lines, which end with %j as on pages',
    (end) => {
      expect(problemOf(lines(6, end))).toBeNull();
      expect(problemOf(lines(7, end))).toBe('must have at most 6 lines');
    },
  );
});
