import type { Transaction } from '@counterfoil/kernel';
import type { EntityMetadata, EntitySchema, ObjectLiteral } from 'typeorm';
import { within } from './sql';
import { managerOf } from './typeorm-transactions';

/**
 * Inserts a row. A missing field gets the default of its column.
 *
 * TypeORM's own insert builds its statement anew for each row, which takes a tenth of the time of a write.
 */
export async function insertRow<Row extends ObjectLiteral>(
  tx: Transaction,
  schema: EntitySchema<Row>,
  row: Partial<Row>,
): Promise<void> {
  await insert(tx, schema, row, '');
}

/** Inserts a row, and returns the id that the database assigned to it. */
export async function insertWithId<Row extends ObjectLiteral>(
  tx: Transaction,
  schema: EntitySchema<Row>,
  row: Partial<Row>,
): Promise<number> {
  const [inserted] = await insert<Row, { readonly id: number }>(tx, schema, row, 'returning id');
  if (!inserted) throw new Error('the insert returned no id');
  return inserted.id;
}

function insert<Row extends ObjectLiteral, Returned extends object = never>(
  tx: Transaction,
  schema: EntitySchema<Row>,
  row: Partial<Row>,
  returning: string,
): Promise<Returned[]> {
  const { connection } = managerOf(tx);
  const { tableName, columns } = connection.getMetadata(schema);
  const set = columns.filter((column) => column.isInsert && row[column.propertyName] !== undefined);
  const values = set.map((column): unknown =>
    connection.driver.preparePersistentValue(row[column.propertyName], column),
  );
  return within(tx).rows<Returned>(`${insertInto(tableName, set)} ${returning}`, values);
}

function insertInto(table: string, columns: EntityMetadata['columns']): string {
  const names = columns.map(({ databaseName }) => `"${databaseName}"`);
  return `insert into ${table} (${names.join(', ')}) values (${names.map((_, index) => `$${index + 1}`).join(', ')})`;
}
