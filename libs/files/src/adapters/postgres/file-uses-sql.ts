/** Of each kind of use so many are named at most: one receipt may stand behind very many expenses. */
const NAMED_MAX = 3;

/**
 * Describes each use of a file in words. The columns are those whose foreign keys point to `files`;
 * `delete-file.integration.spec.ts` compares them with the database, so that a new one cannot be forgotten here.
 * $1: the company, $2: the file.
 */
export const USES_OF_FILE = `
  (select 'the receipt of expense ' || id as use from expenses
    where company_id = $1 and file_id = $2 order by id limit ${NAMED_MAX})
  union all
  (select 'the logo of ' || name from entities
    where company_id = $1 and logo_file_id = $2 order by id limit ${NAMED_MAX})
  union all
  (select 'the withholding certificate of ' || name from entities
    where company_id = $1 and withholding_file_id = $2 order by id limit ${NAMED_MAX})
  union all
  (select 'being read for an extraction' from reading_requests
    where company_id = $1 and file_id = $2 and outcome is null limit 1)`;
