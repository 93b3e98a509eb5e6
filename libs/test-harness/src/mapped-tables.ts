import type { INestApplicationContext } from '@nestjs/common';
import { DataSource, type EntityMetadata } from 'typeorm';

/** What PostgreSQL calls the types that the schemas name. */
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
  /** Each column's type as PostgreSQL's `format_type` writes it, and `not null` where it is required. */
  readonly columns: Readonly<Record<string, string>>;
}

/** The tables that an app maps, as its entity schemas describe them. */
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
