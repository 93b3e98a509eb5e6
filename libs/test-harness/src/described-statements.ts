import { postgresTypes, type SqlStatement } from '@counterfoil/database';
import pg from 'pg';

/** The JavaScript type of a value. Any value may also be null. */
export type Shape =
  'number' | 'string' | 'boolean' | 'Date' | 'Buffer' | 'json' | 'object' | { readonly each: Shape };

export interface DescribedColumn {
  readonly name: string;
  readonly type: string;
  readonly shape: Shape;
  /** Whether it is a nullable column of a table. */
  readonly nullable: boolean;
}

export interface Described {
  /** In the order of the parameters' numbers. */
  readonly parameters: readonly { readonly type: string; readonly shape: Shape }[];
  readonly columns: readonly DescribedColumn[];
}

interface PgType {
  readonly oid: number;
  readonly name: string;
  readonly category: string;
  readonly element: number;
}

/** A sample value of each type category, in PostgreSQL's text format. */
const SAMPLES: Readonly<Record<string, string>> = {
  B: 't',
  D: '2026-01-01 00:00:00+00',
  N: '1',
  T: '1 day',
};
const SAMPLES_BY_NAME: Readonly<Record<string, string>> = {
  bytea: '\\x00',
  json: '{}',
  jsonb: '{}',
  xid8: '1',
};

/** Lets PostgreSQL describe statements without running them. */
export class StatementDescriber {
  private types = new Map<number, PgType>();
  private nullable = new Set<string>();

  private constructor(private readonly client: pg.Client) {}

  static async connect(databaseUrl: string): Promise<StatementDescriber> {
    const client = new pg.Client({ connectionString: databaseUrl });
    await client.connect();
    const describer = new StatementDescriber(client);
    await describer.readCatalogue();
    return describer;
  }

  close(): Promise<void> {
    return this.client.end();
  }

  /** @throws pg.DatabaseError if PostgreSQL refuses the statement */
  async describe({ text }: SqlStatement<object, object>): Promise<Described> {
    const { parameters, fields } = await new Promise<Answer>((resolve, reject) => {
      this.client.query(new Description(text, resolve, reject));
    });
    return {
      parameters: parameters.map((oid) => ({ type: this.typeOf(oid).name, shape: this.sentShape(oid) })),
      columns: fields.map(({ name, dataTypeID, tableID, columnID }) => ({
        name,
        type: this.typeOf(dataTypeID).name,
        shape: this.readShape(dataTypeID),
        nullable: this.nullable.has(`${tableID} ${columnID}`),
      })),
    };
  }

  private async readCatalogue(): Promise<void> {
    const { rows: types } = await this.client.query<PgType>(
      `select oid::int, typname as name, typcategory as category, typelem::int as element from pg_type`,
    );
    this.types = new Map(types.map((type) => [type.oid, type]));
    const { rows: columns } = await this.client.query<{ column: string }>(
      `select attrelid || ' ' || attnum as column from pg_attribute where not attnotnull and attnum > 0`,
    );
    this.nullable = new Set(columns.map(({ column }) => column));
  }

  private typeOf(oid: number): PgType {
    const type = this.types.get(oid);
    if (!type) throw new Error(`PostgreSQL knows no type ${oid}`);
    return type;
  }

  /** Arrays accept the types of their elements; intervals are sent as text. */
  private sentShape(oid: number): Shape {
    const { category, element } = this.typeOf(oid);
    if (category === 'A') return { each: this.sentShape(element) };
    return category === 'T' ? 'string' : this.readShape(oid);
  }

  /** Derived from the parser with which the service reads the type. */
  private readShape(oid: number): Shape {
    const { name } = this.typeOf(oid);
    if (name === 'json' || name === 'jsonb') return 'json';
    const parse = postgresTypes.getTypeParser(oid) as (text: string) => unknown;
    return shapeOf(parse(this.sample(oid)));
  }

  private sample(oid: number): string {
    const { name, category, element } = this.typeOf(oid);
    if (category === 'A') return `{${JSON.stringify(this.sample(element))}}`;
    return SAMPLES_BY_NAME[name] ?? SAMPLES[category] ?? 'a';
  }
}

function shapeOf(value: unknown): Shape {
  if (Array.isArray(value)) return { each: shapeOf(value[0]) };
  if (value instanceof Date) return 'Date';
  if (Buffer.isBuffer(value)) return 'Buffer';
  const type = typeof value;
  return type === 'number' || type === 'string' || type === 'boolean' ? type : 'object';
}

interface Answer {
  readonly parameters: readonly number[];
  readonly fields: readonly pg.FieldDef[];
}

/** A protocol message that parses a statement and requests its description. */
class Description implements pg.Submittable {
  private parameters: readonly number[] = [];
  private fields: readonly pg.FieldDef[] = [];

  constructor(
    private readonly text: string,
    private readonly resolve: (answer: Answer) => void,
    private readonly reject: (error: Error) => void,
  ) {}

  submit = (connection: pg.Connection): void => {
    connection.once('parameterDescription', ({ dataTypeIDs }: { dataTypeIDs: number[] }) => {
      this.parameters = dataTypeIDs;
    });
    connection.parse({ name: '', text: this.text, types: [] }, true);
    connection.describe({ type: 'S', name: '' }, true);
    connection.sync();
  };

  handleRowDescription(message: { fields: pg.FieldDef[] }): void {
    this.fields = message.fields;
  }

  handleError(error: Error): void {
    this.reject(error);
  }

  handleReadyForQuery(): void {
    this.resolve({ parameters: this.parameters, fields: this.fields });
  }
}
