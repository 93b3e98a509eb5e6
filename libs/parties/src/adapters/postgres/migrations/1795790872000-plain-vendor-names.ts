import { buildIndex, Migration, type QueryRunner } from '@counterfoil/database';

/** Characters that are not compared in names. In the collation C, the classes have ASCII characters only. */
const PUNCTUATION =
  '[\\s[:punct:]\\u00a0\\u00b7\\u05be\\u05f3\\u05f4\\u200e\\u200f\\u2010-\\u2015\\u2018-\\u201f\\u2026]';

/** Finds a vendor by its name, ignoring spaces, punctuation and case. Without a transaction, to allow writes. */
export class PlainVendorNames1795790872000 extends Migration {
  override readonly name = 'PlainVendorNames1795790872000';
  readonly transaction = false;

  override async up(runner: QueryRunner): Promise<void> {
    await buildIndex(
      runner,
      'entities_vendors_plain_name',
      `on entities (company_id, regexp_replace(name_key collate "C", '${PUNCTUATION}', '', 'g')) where is_vendor`,
    );
  }
}
