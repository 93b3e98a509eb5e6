/**
 * The size of a bucket of changes, as a shift of the change number. `document_change_counts` has the number
 * of documents that were last changed in each earlier bucket. `documents.counted_bucket` is the bucket that
 * still counts a document that has changed since. `count_document_changes`, in the migration, uses the same
 * 9.
 */
export const BUCKET_SHIFT = 9;

/** Counts the documents of a company (`$1`). */
export const documentsSql = (): string => behindBucketSql('-1');

/**
 * Counts the documents after a position. Without a filter, this is a sum over whole buckets and a count
 * within two buckets. With a filter, the documents are counted.
 */
export function documentsBehindSql(
  { where, isAll }: { readonly where: string; readonly isAll: boolean },
  behind: string,
  changeNumber: string,
): string {
  if (!isAll) return `select count(*) from documents d where ${where} and ${behind}`;
  const bucket = `(${changeNumber} >> ${BUCKET_SHIFT})`;
  return `
    select ${behindBucketSql(bucket)}
         + (select count(*) from documents d
             where d.company_id = $1 and ${behind}
               -- Redundant: the range tells the planner that few rows match.
               and d.change_number >= ${changeNumber} and d.change_number < (${bucket} + 1) << ${BUCKET_SHIFT})`;
}

/**
 * Counts the documents whose last change is in a later bucket: those that the buckets count, and those
 * changed since.
 */
function behindBucketSql(bucket: string): string {
  return `
    (select case when coalesce(counted.bucket, 0) > ${bucket} then
              (select coalesce(sum(n), 0) from unnest(counted.documents[${bucket} + 2:]) n)
              + (select count(*) from documents c
                  where c.company_id = $1 and c.change_number >= coalesce(counted.bucket, 0) << ${BUCKET_SHIFT}
                    -- True for all rows. Without it the planner would expect a third of all rows.
                    and c.change_number < (coalesce(counted.bucket, 0) + 1) << ${BUCKET_SHIFT}
                    and coalesce(c.counted_bucket <= ${bucket}, true))
            else 0 end
       from (select 1) always
       left join lateral (select bucket, documents from document_change_counts where company_id = $1
                           order by bucket desc limit 1) counted on true)`;
}
