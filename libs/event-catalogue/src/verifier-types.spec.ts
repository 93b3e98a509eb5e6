import fs from 'node:fs';
import path from 'node:path';
import { EVENT_CATALOGUE } from './event-catalogue';
import { verifierTypes } from './testing/verifier-types';

const source = fs.readFileSync(path.resolve(__dirname, '../../webhook-verifier/src/event-types.ts'), 'utf8');

/** Returns the interface name for a schema with this title. */
const interfaceOf = (title: string): string => (title.endsWith('Snapshot') ? title : `${title}Snapshot`);

interface Schema {
  readonly title?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly items?: Schema;
}

function fieldsOf(name: string): string[] {
  const [, body = ''] = new RegExp(`export interface ${name} \\{\\n(.*?)\\n\\}`, 's').exec(source) ?? [];
  return [...body.matchAll(/^ {2}readonly (\w+)\??:/gm)].map(([, field = '']) => field).sort();
}

/** Returns all objects with a title inside a schema. */
function titled(schema: Schema): Schema[] {
  const inside = [...Object.values(schema.properties ?? {}), ...(schema.items ? [schema.items] : [])];
  return [...(schema.title === undefined ? [] : [schema]), ...inside.flatMap(titled)];
}

describe('the types of the webhook verifier', () => {
  it('are the output of `npm run types:verifier`', () => {
    expect(source).toBe(verifierTypes(EVENT_CATALOGUE));
  });

  it('include every event type', () => {
    const [, union = ''] = /export type WebhookEventType =(.*?);/s.exec(source) ?? [];
    const known = [...union.matchAll(/'([^']+)'/g)].map(([, type]) => type);
    expect(known.sort()).toEqual([...EVENT_CATALOGUE.types].sort());
  });

  it.each(EVENT_CATALOGUE.events.map(({ type, schema }) => [type, schema as Schema] as const))(
    'know what %s carries',
    (_, schema) => {
      const data = schema.properties?.data ?? {};
      expect(fieldsOf('WebhookEventData')).toEqual(
        expect.arrayContaining(Object.keys(data.properties ?? {})),
      );
      for (const { title = '', properties = {} } of titled(data)) {
        expect([title, fieldsOf(interfaceOf(title))]).toEqual([title, Object.keys(properties).sort()]);
      }
    },
  );
});
