import type { FilterField, FilterFields, FilterOf } from '@counterfoil/pagination';
import type { Type } from '@nestjs/common';
import { ChoiceField, CurrencyField, PlainDateField, TextField } from './fields';
import { BooleanQueryField, IdQueryField, SearchField } from './query-fields';

/** A class of query parameters, out of the filters that a list declares: each is checked and documented. */
export function ListFilters<Fields extends FilterFields>(fields: Fields): Type<FilterOf<Fields>> {
  class Query {}
  for (const [name, field] of Object.entries(fields)) decoratorOf(field)(Query.prototype, name);
  return Query;
}

function decoratorOf(field: FilterField): PropertyDecorator {
  const { description } = field;
  const options = { presence: 'edit', ...(description === undefined ? {} : { description }) } as const;
  switch (field.kind) {
    case 'search':
      return SearchField(options);
    case 'text':
      return TextField({ ...options, max: field.max });
    case 'id':
      return IdQueryField(options);
    case 'day':
      return PlainDateField(options);
    case 'flag':
      return BooleanQueryField(options);
    case 'currency':
      return CurrencyField(options);
    case 'choice':
      return ChoiceField({ ...options, choices: field.choices });
  }
}
