import { Migration, type QueryRunner } from '@counterfoil/database';

/** Says in the schema what names mean that differ from those of the code (docs/glossary.md). */
export class PartyNames1795514400000 extends Migration {
  override readonly name = 'PartyNames1795514400000';

  override async up(runner: QueryRunner): Promise<void> {
    await runner.query(
      `comment on table entities is 'parties: the vendors and clients of a company; one party can be both'`,
    );
    await runner.query(`comment on table entity_contacts is 'contacts of parties'`);
    await runner.query(
      `comment on table entity_counts is 'numbers of parties by role, type and contacts, after each change'`,
    );
  }
}
