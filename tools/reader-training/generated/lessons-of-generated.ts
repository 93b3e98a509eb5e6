import type { Lesson } from '../learn';
import type { Page } from '../../../libs/receipt-reader/src/page';
import type { ReadingSource } from '../../../libs/receipt-reader/src/reading';
import type { Generated } from './generate';

/** A generated document as read: what the training needs of it. */
export type ReadGenerated = Omit<Generated, 'bytes'> & {
  readonly pages: readonly Page[];
  readonly source: ReadingSource;
};

/** Generated documents weigh less than real ones, because their words and layouts are invented. */
const GENERATED_WEIGHT = 0.25;

/**
 * Returns the document as a lesson. Documents of a family are similar, and so are those of a group, because
 * they share vendors and writers.
 */
export const lessonOfGenerated = ({ id, pages, source, truth, family, group }: ReadGenerated): Lesson => ({
  id,
  pages,
  source,
  truth,
  merchant: `family ${family}`,
  fold: `group ${group}`,
  weight: GENERATED_WEIGHT,
});
