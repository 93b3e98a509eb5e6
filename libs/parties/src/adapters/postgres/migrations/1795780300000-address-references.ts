import { buildIndex, Migration, type QueryRunner } from '@counterfoil/database';

/**
 * Indexes the references to addresses and contacts, which only the erasure of a company deletes. Without a transaction,
 * to allow writes.
 */
export class AddressReferences1795780300000 extends Migration {
  override readonly name = 'AddressReferences1795780300000';
  readonly transaction = false;

  override async up(runner: QueryRunner): Promise<void> {
    const given = '(address_id) where address_id is not null';
    await buildIndex(runner, 'entities_address', `on entities ${given}`);
    await buildIndex(runner, 'contacts_address', `on contacts ${given}`);
    await buildIndex(runner, 'entity_contacts_contact', 'on entity_contacts (contact_id)');
  }
}
