/** The records that a company may define fields for. */
export const APPLIES_TO = ['vendor', 'client', 'document', 'product'] as const;
export type AppliesTo = (typeof APPLIES_TO)[number];

/** The types of values that a custom field may hold. */
export const FIELD_TYPES = ['text', 'number', 'date', 'boolean'] as const;
export type FieldType = (typeof FIELD_TYPES)[number];

export interface CustomFieldDetails {
  readonly name: string;
  readonly appliesTo: AppliesTo;
  readonly fieldType: FieldType;
}

/** A field of a company's own. */
export interface CustomField extends CustomFieldDetails {
  readonly id: number;
  readonly createdAt: Date;
}
