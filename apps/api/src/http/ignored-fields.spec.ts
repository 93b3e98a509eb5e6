import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { ObjectField, ObjectListField, TextField } from './fields';
import { listed, unknownFieldsOf } from './ignored-fields';
import { fieldsOf, fieldsOfAny } from './known-fields';
import { createValidationPipe } from './validation';

class Item {
  @TextField({ presence: 'optional', max: 10 })
  readonly name?: string;
  @ObjectListField({ presence: 'optional', of: () => Item, maxItems: 10 })
  readonly parts?: readonly Item[];
}

class Base {
  @ObjectField({ presence: 'optional', of: () => Item })
  readonly main?: Item;
}

class Body extends Base {
  @TextField({ presence: 'optional', max: 10 })
  readonly title?: string;
  @ObjectListField({ presence: 'optional', of: () => Item, maxItems: 1_000 })
  readonly items?: readonly Item[];
}

class Other {
  @TextField({ presence: 'optional', max: 10 })
  readonly code?: string;
}

const unknownIn = (body: object, type: typeof Body | typeof Other = Body) =>
  unknownFieldsOf(body, fieldsOf(type));
const json = (text: string) => JSON.parse(text) as object;
const many = (count: number): object =>
  Object.fromEntries(Array.from({ length: count }, (_, number) => [`f${number}`, 1]));

describe('the unknown fields of a body', () => {
  it('are none if it has only fields of its class and its base classes', () => {
    const item = { name: 'a', parts: [{ name: 'b', parts: [] }] };
    expect(unknownIn({ title: 'a', main: item, items: [item, item] })).toEqual([]);
    expect(unknownIn({})).toEqual([]);
  });

  it('have their positions, in objects and in entries of lists, in order', () => {
    const body = { x: 1, main: { y: 1 }, items: [{ name: 'a' }, { qty: 1, parts: [{ z: 1 }] }] };
    expect(unknownIn(body)).toEqual(['x', 'main.y', 'items[1].qty', 'items[1].parts[0].z']);
  });

  it('are looked for where a value has another type than it should', () => {
    expect(unknownIn({ main: [{ x: 1 }], items: { y: 1 } })).toEqual(['main[0].x', 'items.y']);
    expect(unknownIn({ main: null, items: [null, 1, 'a', [], [[{ z: 1 }]]] })).toEqual(['items[4][0][0].z']);
  });

  it('are not looked for within a value whose fields are not declared', () => {
    expect(unknownIn({ title: { x: 1, y: [{ z: 1 }] } })).toEqual([]);
  });

  it.each(['__proto__', 'constructor', 'prototype', 'toString', 'hasOwnProperty', 'length', 'size', 'get'])(
    'include %s',
    (name) => {
      expect(unknownIn(json(`{"${name}":1}`))).toEqual([name]);
      expect(unknownIn(json(`{"items":[{"${name}":{"a":1}}]}`))).toEqual([`items[0].${name}`]);
    },
  );

  it('are not taken from a prototype', () => {
    expect(unknownIn(Object.create({ inherited: 1 }) as object)).toEqual([]);
  });

  it('are at most 100, and the search ends there', () => {
    const list = { items: Array.from({ length: 10_000 }, () => many(100)) };
    const found = unknownIn(list);
    expect([found.length, found[0], found.at(-1)]).toEqual([100, 'items[0].f0', 'items[0].f99']);
    expect(unknownIn(many(10_000))).toHaveLength(100);
  });

  it('of one of several classes are in none of them', () => {
    const known = fieldsOfAny(Body, Other);
    expect(unknownFieldsOf({ title: 'a', code: 'b', items: [{ c: 1 }], d: 1 }, known)).toEqual([
      'items[0].c',
      'd',
    ]);
  });

  it('cost a fraction of checking the body, if there are none', async () => {
    const item = { name: 'a', parts: [{ name: 'b' }, { name: 'c' }] };
    const text = JSON.stringify({ title: 'a', items: Array.from({ length: 1_000 }, () => item) });
    const pipe = createValidationPipe();
    const known = fieldsOf(Body);
    const searching: number[] = [];
    const checking: number[] = [];
    for (let round = 0; round < 20; round++) {
      const body = json(text);
      const started = performance.now();
      expect(unknownFieldsOf(body, known)).toEqual([]);
      const searched = performance.now();
      await pipe.transform(body, { type: 'body', metatype: Body });
      searching.push(searched - started);
      checking.push(performance.now() - searched);
    }
    expect(Math.min(...searching) / Math.min(...checking)).toBeLessThan(0.5);
  });
});

describe('the header', () => {
  /** Sends the value in a real response, which refuses an invalid one. */
  function assertSendable(value: string): void {
    const response = new ServerResponse(new IncomingMessage(new Socket()));
    response.setHeader('ignored-fields', value);
    expect(value).toMatch(/^[\x21-\x7e]+(?: [\x21-\x7e]+)*$/);
    expect(value.length).toBeLessThanOrEqual(1_024 + ', ...'.length);
  }

  it('has the names in order', () => {
    expect(listed(['from', 'items[0].qty', 'שם'])).toBe('from, items[0].qty, %D7%A9%D7%9D');
  });

  it('has at most 20 of them', () => {
    const names = Object.keys(many(21));
    expect(listed(names.slice(1)).split(', ')).toEqual(names.slice(1));
    expect(listed(names).split(', ')).toEqual([...names.slice(0, 20), '...']);
  });

  it.each([
    ['an empty name', '', '""'],
    ['a comma', 'a, b', 'a%2C%20b'],
    ['a line break', 'a\r\nx-evil: 1', 'a%0D%0Ax-evil%3A%201'],
    ['NUL', 'a\0', 'a%00'],
    ['a percent sign', '%0d%0a', '%250d%250a'],
    ['quotes and backslashes', '"\\"', '%22%5C%22'],
    ['a lone surrogate', 'a\ud800', 'a%EF%BF%BD'],
    ['a long name', 'x'.repeat(5_000), `${'x'.repeat(100)}...`],
    ['a long name of signs that take 9 characters each', 'ש'.repeat(5_000), `${'%D7%A9'.repeat(100)}...`],
    ['a pair of surrogates at the cut', `${'x'.repeat(99)}🧾`, `${'x'.repeat(99)}%EF%BF%BD...`],
  ])('encodes %s', (_, name, expected) => {
    expect(listed([name])).toBe(expected);
    assertSendable(listed([name]));
  });

  it('stays short, however long the names are', () => {
    for (const name of ['x'.repeat(5_000), '、'.repeat(5_000), '\n'.repeat(5_000), '🧾'.repeat(5_000)]) {
      const value = listed([name, name, name, name, name, name, name, name, name, name, name, name]);
      assertSendable(value);
      expect(value.endsWith(', ...')).toBe(true);
    }
  });
});
