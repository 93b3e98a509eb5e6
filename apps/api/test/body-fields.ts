/** The part of a schema that the tests read. */
export interface Schema {
  readonly $ref?: string;
  readonly allOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly anyOf?: readonly Schema[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly items?: Schema;
  readonly required?: readonly string[];
  readonly minLength?: number;
}

export type Schemas = Readonly<Record<string, Schema>>;

/**
 * Returns the chosen fields of a body with their positions: `items[0].productId`, `linkedDocumentIds[0]`.
 *
 * @param isChosen decides by a field's name and position, its schema, and whether it must be sent
 */
export function fieldsIn(
  schema: Schema,
  schemas: Schemas,
  isChosen: (field: string, schema: Schema, isRequired: boolean) => boolean,
  before = '',
): string[] {
  if (schema.$ref !== undefined) {
    const named = schemas[schema.$ref.split('/').at(-1) ?? ''];
    return named ? fieldsIn(named, schemas, isChosen, before) : [];
  }
  const parts = [...(schema.allOf ?? []), ...(schema.oneOf ?? []), ...(schema.anyOf ?? [])];
  const own = Object.entries(schema.properties ?? {}).flatMap(([name, child]) => {
    const field = before + name;
    if (isChosen(field, child, schema.required?.includes(name) ?? false))
      return [child.items === undefined ? field : `${field}[0]`];
    return fieldsIn(child, schemas, isChosen, `${field}${child.items === undefined ? '.' : ''}`);
  });
  const inItems = schema.items ? fieldsIn(schema.items, schemas, isChosen, `${before}[0].`) : [];
  return [
    ...new Set([...own, ...inItems, ...parts.flatMap((one) => fieldsIn(one, schemas, isChosen, before))]),
  ];
}

/** Returns the body with a value at a position, which is added if it is missing. */
export function withField(body: object, field: string, value: string | number | null): object {
  const copy = structuredClone(body) as Record<string, unknown>;
  const steps = field.split(/[.[\]]+/).filter((step) => step !== '');
  const last = steps.pop() ?? '';
  let at = copy;
  for (const [index, step] of steps.entries()) {
    at[step] ??= (steps[index + 1] ?? last) === '0' ? [] : {};
    at = at[step] as Record<string, unknown>;
  }
  at[last] = value;
  return copy;
}
