import pg from 'pg';

const { builtins } = pg.types;

/**
 * How PostgreSQL's values become JavaScript's. Whole numbers and decimals come back as numbers (decisions §1):
 * the limits in the kernel keep both exact. Plain dates stay text.
 */
const PARSERS = new Map<number, (text: string) => unknown>([
  [builtins.INT8, Number],
  [builtins.NUMERIC, Number],
  [builtins.DATE, (text) => text],
]);

/** For the `types` option of a pg pool or client: set per pool, so that no other user of pg is affected. */
export const postgresTypes: pg.CustomTypesConfig = {
  getTypeParser: (oid: number): ((text: string) => unknown) =>
    PARSERS.get(oid) ?? (pg.types.getTypeParser(oid, 'text') as (text: string) => unknown),
};
