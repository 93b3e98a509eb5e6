import {
  AUDIT_ACTIONS,
  AUDIT_FILTERS,
  AUDITED_ENTITIES,
  type AuditAction,
  type AuditEntry,
} from '@counterfoil/audit-log';
import { ROLES } from '@counterfoil/kernel';
import { ChoiceProperty, IntegerProperty, RecordProperty, TextProperty, TimeProperty } from '../http/answers';
import { ListFilters } from '../http/query-fields';

export class ListAuditQuery extends ListFilters(AUDIT_FILTERS) {}

type Values = Readonly<Record<string, unknown>>;

export class AuditEntryBody {
  @IntegerProperty({ description: 'The place of the entry in the log of the company, from 1.' })
  readonly position!: number;
  @TimeProperty() readonly at!: Date;
  @ChoiceProperty(AUDIT_ACTIONS) readonly action!: AuditAction;
  @ChoiceProperty(AUDITED_ENTITIES, { description: 'The type of the changed record.' })
  readonly entity!: string;
  @TextProperty({ description: 'The id of the changed record.', example: '42' }) readonly id!: string;
  @TextProperty({ description: 'See the filter `actor`.', example: 'api-key:7' }) readonly actor!: string;
  @ChoiceProperty(ROLES, { nullable: true, description: 'The role of the API key at that time.' })
  readonly role!: string | null;
  @TextProperty({ nullable: true, description: 'The `X-Request-Id` of the call.' })
  readonly requestId!: string | null;
  @RecordProperty({
    nullable: true,
    description:
      'The changed fields before. All fields that were set, if the record was deleted; null if it was created. Secrets are `hidden`.',
    example: { name: 'Acme' },
  })
  readonly before!: Values | null;
  @RecordProperty({
    nullable: true,
    description:
      'The changed fields after. All fields that are set, if the record was created; null if it was deleted.',
    example: { name: 'Acme Ltd' },
  })
  readonly after!: Values | null;
  @TextProperty({
    description: 'SHA-256 of the entry and of the hash of the entry before it, in hexadecimal.',
    example: '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
  })
  readonly hash!: string;
}

export function presentAuditEntry(entry: AuditEntry): AuditEntryBody {
  const { position, at, action, entity, entityId, actor, role, requestId, before, after, hash } = entry;
  return {
    ...{ position, at, action, entity, id: entityId, actor, role, requestId },
    ...{ before: before && namedAsInApi(before), after: after && namedAsInApi(after) },
    hash: hash.toString('hex'),
  };
}

/** The log has the names of columns, in snake case. */
function namedAsInApi(values: Values): Values {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [camelCase(name), value]));
}

const camelCase = (name: string): string =>
  name.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
