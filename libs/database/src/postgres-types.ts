import pg from 'pg';

const { builtins } = pg.types;

/**
 * Converts PostgreSQL's values to JavaScript's. Integers and decimals become numbers (contract §1.3), which
 * is exact within the limits of the kernel. Plain dates stay text.
 */
const PARSERS = new Map<number, (text: string) => unknown>([
  [builtins.INT8, Number],
  [builtins.NUMERIC, Number],
  [builtins.DATE, (text) => text],
]);

/**
 * The `types` option of a pg pool or client. It is set for each pool, so that other users of pg are not
 * affected.
 */
export const postgresTypes: pg.CustomTypesConfig = {
  getTypeParser: (oid: number): ((text: string) => unknown) =>
    PARSERS.get(oid) ?? (pg.types.getTypeParser(oid, 'text') as (text: string) => unknown),
};
