/** The description of a list whose rows are not counted (contract §2.7). */
export const UNCOUNTED_PAGE =
  'pagination.total counts only the rows of this page, and hasMore is always false: ask for the next page until one comes back with fewer rows than pageSize.';
