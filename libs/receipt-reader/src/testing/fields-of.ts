import { findFields } from '../fields/find-fields';
import { plainTextPage } from '../text/plain-text-page';
import type { ReceiptFields } from '../reading';

interface Case {
  readonly name: string;
  readonly text: string;
  readonly fields: ReceiptFields;
}

/** Reads a text of one page. */
export const readText = (text: string) =>
  findFields([plainTextPage(text)], { source: 'text', today: '2026-06-30' });

/** Declares one test for each document: exactly these fields are found. */
export function describeFieldsOf(cases: readonly Case[]): void {
  describe('the fields of', () => {
    it.each(cases)('$name', ({ text, fields }) => {
      expect(readText(text).fields).toEqual(fields);
    });
  });
}
