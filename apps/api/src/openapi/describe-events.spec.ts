import {
  ALLOCATION_NUMBER_STATUSES,
  DOCUMENT_STATUSES,
  DOCUMENT_TYPES,
  RETAINER_DOCUMENT_TYPES,
} from '@counterfoil/documents';
import { EVENT_CATALOGUE } from '@counterfoil/event-catalogue';
import { MOVEMENT_TYPES } from '@counterfoil/inventory';
import { describeEvents, eventSchemas, schemaNameOf } from './describe-events';

/** The schema of one field of the document snapshot in an event. */
const inSnapshot = (type: string, part: string, field: string) => [
  schemaNameOf(type),
  ...['properties', 'data', 'properties', part, 'properties', field, 'enum'],
];

describe('the description of the events', () => {
  const described = describeEvents();
  const schemas = eventSchemas();

  it('has each event of the catalogue with its example, and its schema without a dialect of its own', () => {
    expect(Object.keys(described)).toEqual(EVENT_CATALOGUE.types);
    expect(Object.keys(schemas)).toContain('ChargeSucceededEvent');
    expect(Object.keys(schemas)).toContain('DocumentApprovalNumberAssignedEvent');
    for (const { type, schema, example } of EVENT_CATALOGUE.events) {
      const { $schema, ...inDialect } = schema;
      expect($schema).toBeDefined();
      const body = [type, 'post', 'requestBody', 'content', 'application/json'];
      const reference = { $ref: `#/components/schemas/${schemaNameOf(type)}` };
      expect(described).toHaveProperty(body, { schema: reference, example });
      expect(schemas[schemaNameOf(type)]).toEqual(inDialect);
    }
  });

  it('mentions the settings of operators, and the number of secrets that may sign during a rotation', () => {
    for (const type of EVENT_CATALOGUE.types) {
      const text = JSON.stringify(described[type]);
      expect(text).toContain('within 10 seconds, unless the operator set another `WEBHOOK_TIMEOUT`');
      expect(text.match(/within 10 seconds/g)).toHaveLength(1);
      expect(text).toContain('one more v1 for each earlier secret that still signs during a rotation');
      expect(text).not.toMatch(/two v1/i);
    }
  });

  it('has the types and statuses that documents have', () => {
    const snapshots = EVENT_CATALOGUE.types
      .filter((type) => type.startsWith('document.'))
      .map((type) => [type as string, 'document']);
    expect(snapshots).toHaveLength(9);
    for (const [type = '', part = ''] of [...snapshots, ['document.refunded', 'refundedBy']]) {
      expect(schemas).toHaveProperty(inSnapshot(type, part, 'type'), [...DOCUMENT_TYPES, 'SUPPLIER_INVOICE']);
      expect(schemas).toHaveProperty(inSnapshot(type, part, 'status'), [...DOCUMENT_STATUSES]);
      const status = inSnapshot(type, part, 'approvalNumberStatus');
      expect(schemas).toHaveProperty(status, [...ALLOCATION_NUMBER_STATUSES, null]);
    }
  });

  it('has the types that retainers issue', () => {
    const field = inSnapshot('retainer.document_refused', 'retainer', 'documentType');
    expect(schemas).toHaveProperty(field, [...RETAINER_DOCUMENT_TYPES]);
  });

  it('has the types that movements have', () => {
    const field = inSnapshot('stock.movement.recorded', 'movement', 'movementType');
    expect(schemas).toHaveProperty(field, [...MOVEMENT_TYPES]);
  });
});
