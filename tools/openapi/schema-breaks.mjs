// Compares the schemas of two OpenAPI documents. A request breaks if the service accepts less than before. A
// response breaks if it may contain more than before. Both break if a field is removed.
import { isDeepStrictEqual } from 'node:util';

/** Limits recursion through merged schemas, which have no name by which it could be recognised. */
const DEPTH_MAX = 40;
const LENGTHS = ['Length', 'Items', 'Properties'];
/** These keywords are compared below. A difference in any other keyword is reported as a break. */
const UNDERSTOOD = new Set([
  ...['minimum', 'exclusiveMinimum', 'maximum', 'exclusiveMaximum', 'multipleOf', 'format', 'pattern'],
  ...LENGTHS.flatMap((what) => [`min${what}`, `max${what}`]),
  ...['uniqueItems', 'items', 'properties', 'required', 'additionalProperties'],
]);

const shown = (value) => JSON.stringify(value);

export class SchemaBreaks {
  #before;
  #after;
  #request;
  #openValues;
  #known = new Map();

  /**
   * @param {{ before: import('./alternatives.mjs').Alternatives, after:
   * import('./alternatives.mjs').Alternatives }} documents
   * @param {{ request: boolean, openValues?: ReadonlySet<unknown> }} options `openValues` may be added to
   * responses at any time
   */
  constructor({ before, after }, { request, openValues = new Set() }) {
    this.#before = before;
    this.#after = after;
    this.#request = request;
    this.#openValues = openValues;
  }

  /** @returns {{ at: string, text: string }[]} */
  between(before, after, at = '', depth = 0) {
    if (depth > DEPTH_MAX) return [];
    const was = this.#before.of(before);
    const now = this.#after.of(after);
    const [wide, narrow] = this.#request ? [now, was] : [was, now];
    // If one form of an answer is split into several, each of them has a part of the fields that could be missing before.
    const others = new Set(
      this.#request ? [] : now.flatMap(({ rules }) => Object.keys(rules.properties ?? {})),
    );
    return narrow.flatMap((one) => {
      const tried = wide
        .filter(({ type }) => covers(type, one.type))
        .map((other) => this.#pair(...(this.#request ? [one, other] : [other, one]), { at, depth, others }));
      if (tried.length === 0) return [{ at, text: this.#lost(one) }];
      return tried.reduce((best, next) => (next.length < best.length ? next : best));
    });
  }

  #lost({ type }) {
    const what = type === 'any' ? 'a value of any type' : type;
    return this.#request ? `${what} is no longer accepted` : `can now be ${what}`;
  }

  /** Compares a component that kept its name only once, and reports its fields under its name. */
  #pair(was, now, place) {
    if (was.key === undefined || now.key === undefined) return this.#rules(was, now, place);
    const key = `${was.key} ${now.key}`;
    if (this.#known.has(key)) return this.#known.get(key);
    const renamed = was.name !== now.name;
    this.#known.set(key, []);
    const found = this.#rules(was, now, renamed ? place : { ...place, at: was.name });
    if (renamed) this.#known.delete(key);
    else this.#known.set(key, found);
    return found;
  }

  #rules(was, now, { at, depth, others }) {
    const found = [
      ...this.#default(was, now),
      ...this.#values(was, now),
      ...this.#bounds(was, now),
      ...this.#forms(was.rules, now.rules),
    ].map((text) => ({ at, text }));
    const types = [was.type, now.type];
    if (types.every((type) => type === 'array')) {
      found.push(...this.between(was.rules.items, now.rules.items, `${at}[]`, depth + 1));
    }
    if (types.every((type) => type === 'object'))
      found.push(...this.#object(was.rules, now.rules, { at, depth, others }));
    return found;
  }

  #default(was, now) {
    if (!this.#request || !('default' in was) || isDeepStrictEqual(was.default, now.default)) return [];
    return [`the default was ${shown(was.default)}, and is ${shown(now.default) ?? 'gone'}`];
  }

  #values(was, now) {
    const [wide, narrow] = this.#request ? [now.values, was.values] : [was.values, now.values];
    if (wide === undefined) return [];
    if (narrow === undefined)
      return [this.#request ? `only takes ${shown(wide)}` : 'can now have other values'];
    const missing = narrow.filter((value) => !wide.some((other) => isDeepStrictEqual(value, other)));
    if (this.#request) return missing.map((value) => `${shown(value)} is no longer accepted`);
    return missing
      .filter((value) => !this.#openValues.has(value))
      .map((value) => `can now be ${shown(value)}`);
  }

  #bounds(was, now) {
    const pairs = [
      ['lower bound', lowerOf(was), lowerOf(now), 1],
      ['upper bound', upperOf(was), upperOf(now), -1],
      ...LENGTHS.flatMap((what) => [
        [`min${what}`, { value: was.rules[`min${what}`] ?? 0 }, { value: now.rules[`min${what}`] ?? 0 }, 1],
        [`max${what}`, most(was.rules[`max${what}`]), most(now.rules[`max${what}`]), -1],
      ]),
    ];
    return pairs
      .filter(([, before, after, sign]) => {
        const stricter = strictness(before, after, sign);
        return this.#request ? stricter > 0 : stricter < 0;
      })
      .map(([what, before, after]) => `the ${what} was ${boundText(before)}, and is ${boundText(after)}`);
  }

  #forms(was, now) {
    const [wide, narrow] = this.#request ? [now, was] : [was, now];
    const told = (word) => `${word} was ${shown(was[word]) ?? 'free'}, and is ${shown(now[word]) ?? 'free'}`;
    const words = ['format', 'pattern'].filter(
      (word) => wide[word] !== undefined && !isDeepStrictEqual(wide[word], narrow[word]),
    );
    if (wide.multipleOf !== undefined && !(narrow.multipleOf % wide.multipleOf === 0))
      words.push('multipleOf');
    if (wide.uniqueItems && !narrow.uniqueItems) words.push('uniqueItems');
    const others = new Set([...Object.keys(was), ...Object.keys(now)]);
    for (const word of others) {
      if (!UNDERSTOOD.has(word) && !isDeepStrictEqual(was[word], now[word])) words.push(word);
    }
    return words.map(told);
  }

  #object(was, now, { at, depth, others }) {
    const found = [];
    const [required, requiredNow] = [was.required ?? [], now.required ?? []];
    const isElsewhere = (name) => others.has(name) && !required.includes(name);
    const place = (name) => (at === '' ? name : `${at}.${name}`);
    const [fields, fieldsNow] = [was.properties ?? {}, now.properties ?? {}];
    for (const [name, schema] of Object.entries(fields)) {
      if (!(name in fieldsNow)) {
        if (!isElsewhere(name)) found.push({ at: place(name), text: 'is gone' });
      } else found.push(...this.between(schema, fieldsNow[name], place(name), depth + 1));
    }
    for (const name of this.#request ? requiredNow : []) {
      if (!required.includes(name)) found.push({ at: place(name), text: 'is required' });
    }
    for (const name of this.#request ? [] : required) {
      if (!requiredNow.includes(name) && name in fieldsNow)
        found.push({ at: place(name), text: 'can be missing' });
    }
    return [...found, ...this.#otherFields(was, now, place('*'), depth)];
  }

  /** Responses may gain fields at any time, so in responses only the values of a map are compared. */
  #otherFields(was, now, at, depth) {
    const [others, othersNow] = [was.additionalProperties ?? true, now.additionalProperties ?? true];
    if (isDeepStrictEqual(others, othersNow)) return [];
    if (!this.#request && typeof others !== 'object') return [];
    return this.between(others, othersNow, at, depth + 1);
  }
}

const covers = (wide, narrow) =>
  wide === narrow || wide === 'any' || (wide === 'number' && narrow === 'integer');

/** For integers, an exclusive bound is converted to the inclusive one. */
function lowerOf({ type, rules: { minimum = -Infinity, exclusiveMinimum = -Infinity } }) {
  if (type === 'integer') return { value: Math.max(minimum, exclusiveMinimum + 1) };
  return exclusiveMinimum >= minimum && exclusiveMinimum > -Infinity
    ? { value: exclusiveMinimum, open: true }
    : { value: minimum };
}

function upperOf({ type, rules: { maximum = Infinity, exclusiveMaximum = Infinity } }) {
  if (type === 'integer') return { value: Math.min(maximum, exclusiveMaximum - 1) };
  return exclusiveMaximum <= maximum && exclusiveMaximum < Infinity
    ? { value: exclusiveMaximum, open: true }
    : { value: maximum };
}

const most = (value = Infinity) => ({ value });

/** @returns {number} positive if the bound is stricter than before, negative if it is looser */
function strictness(before, after, sign) {
  if (before.value === after.value) return Number(after.open ?? false) - Number(before.open ?? false);
  return sign * (after.value - before.value);
}

const boundText = ({ value, open }) =>
  Number.isFinite(value) ? `${value}${open ? ' (excluded)' : ''}` : 'free';
