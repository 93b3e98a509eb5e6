import type { INestApplicationContext } from '@nestjs/common';
import { DataSource, type EntityMetadata } from 'typeorm';

/** PostgreSQL's names of the types in the entity schemas. */
const TYPE_NAMES: Readonly<Record<string, string>> = {
  bigint: 'bigint',
  boolean: 'boolean',
  bytea: 'bytea',
  date: 'date',
  integer: 'integer',
  json: 'json',
  jsonb: 'jsonb',
  text: 'text',
  timestamptz: 'timestamp with time zone',
  uuid: 'uuid',
};

export interface MappedTable {
  readonly table: string;
  /** The type of each column in the format of `format_type`, with `not null` if it is required. */
  readonly columns: Readonly<Record<string, string>>;
}

/** Returns the tables that an app maps, as described by its entity schemas. */
export function mappedTables(app: INestApplicationContext): MappedTable[] {
  return app.get(DataSource).entityMetadatas.map((metadata) => ({
    table: metadata.tableName,
    columns: columnsOf(metadata),
  }));
}

function columnsOf({ columns }: EntityMetadata): Record<string, string> {
  const described = columns.map(({ databaseName, type, precision, scale, isArray, isNullable }) => {
    const name = type === 'numeric' ? `numeric(${precision},${scale})` : TYPE_NAMES[String(type)];
    return [databaseName, `${name}${isArray ? '[]' : ''}${isNullable ? '' : ' not null'}`] as const;
  });
  return Object.fromEntries(described);
}
