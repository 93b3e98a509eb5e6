// Finds the changes between two OpenAPI documents that break callers and receivers of events.
import { isDeepStrictEqual } from 'node:util';
import { Alternatives } from './alternatives.mjs';
import { SchemaBreaks } from './schema-breaks.mjs';

const METHODS = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace'];
/**
 * The serialisation of a parameter. Every difference is a break, because it changes the bytes of the request.
 */
const SERIALISATION = ['style', 'explode', 'allowReserved', 'allowEmptyValue'];

/**
 * A breaking change. `subject` is the operation or the event, `at` the position in it, and `component` the
 * schema that contains the position, if it has a name.
 *
 * @typedef {{ subject: string, part: string, at: string, component?: string, text: string }} Break
 * @returns {Break[]}
 */
export function breakingChanges(before, after) {
  return new Comparison(before, after).run();
}

class Comparison {
  #before;
  #after;
  #was;
  #now;
  #requests;
  #answers;
  #found = [];
  #subject = '';

  constructor(before, after) {
    this.#before = before;
    this.#after = after;
    this.#was = new Alternatives(before);
    this.#now = new Alternatives(after);
    const documents = { before: this.#was, after: this.#now };
    // Receivers must expect new event types, so a list of all types may grow.
    const events = Object.keys(after.webhooks ?? {}).filter((type) => !(type in (before.webhooks ?? {})));
    this.#requests = new SchemaBreaks(documents, { request: true });
    this.#answers = new SchemaBreaks(documents, { request: false, openValues: new Set(events) });
  }

  run() {
    const routes = operationsOf(this.#after.paths, withoutNames);
    for (const [route, operation] of operationsOf(this.#before.paths, withoutNames)) {
      this.#subject = operation.label;
      const now = routes.get(route);
      if (now) this.#operation(operation, now);
      else this.#add('operation', '', 'is gone');
    }
    const events = operationsOf(this.#after.webhooks, (name) => name);
    for (const [name, event] of operationsOf(this.#before.webhooks, (name) => name)) {
      this.#subject = event.label.replace(/^[A-Z]+ /, '');
      const now = events.get(name);
      if (now) this.#event(event, now);
      else this.#add('event', '', 'is gone');
    }
    return this.#found;
  }

  #add(part, at, text, component) {
    this.#found.push({ subject: this.#subject, part, at, text, ...(component && { component }) });
  }

  #schema(part, breaks, was, now) {
    for (const { at, text } of breaks.between(was, now)) {
      const [name] = at.split(/[.[]/);
      this.#add(part, at, text, name in (this.#before.components?.schemas ?? {}) ? name : undefined);
    }
  }

  #operation(was, now) {
    this.#security(was, now);
    this.#parameters(was, now);
    this.#body(was, now);
    const answers = now.responses ?? {};
    for (const [status, raw] of Object.entries(was.responses ?? {})) {
      if (answers[status]) this.#answer(`answer ${status}`, raw, answers[status]);
      else if (!isError(status)) this.#add(`answer ${status}`, '', 'is gone');
    }
  }

  /** Credentials that were sufficient must remain sufficient. */
  #security(was, now) {
    const allowed = alternativesOfSecurity(now.security ?? this.#after.security);
    for (const one of alternativesOfSecurity(was.security ?? this.#before.security)) {
      const suffices = allowed.some((other) =>
        Object.entries(other).every(
          ([scheme, scopes]) => scheme in one && scopes.every((scope) => one[scheme].includes(scope)),
        ),
      );
      if (!suffices) this.#add('security', '', `${JSON.stringify(one)} no longer suffices`);
      for (const scheme of Object.keys(one)) this.#scheme(scheme);
    }
  }

  #scheme(name) {
    const of = ({ components }) => {
      const scheme = { ...components?.securitySchemes?.[name] };
      // The description is informative only.
      delete scheme.description;
      delete scheme.bearerFormat;
      return scheme;
    };
    if (!isDeepStrictEqual(of(this.#before), of(this.#after))) {
      this.#add('security', name, 'is another scheme');
    }
  }

  #parameters(was, now) {
    const known = parametersOf(was, this.#was);
    const others = parametersOf(now, this.#now);
    for (const [key, parameter] of known) {
      const other = others.get(key);
      const part = `${parameter.in} parameter`;
      if (!other) {
        this.#add(part, parameter.name, 'is gone');
        continue;
      }
      if (other.required && !parameter.required) this.#add(part, parameter.name, 'is required');
      for (const word of SERIALISATION) {
        if (!isDeepStrictEqual(parameter[word], other[word]))
          this.#add(part, parameter.name, `${word} differs`);
      }
      this.#schema(`${part} ${parameter.name}`, this.#requests, parameter.schema, other.schema);
    }
    for (const [key, other] of others) {
      if (other.required && !known.has(key)) this.#add(`${other.in} parameter`, other.name, 'is required');
    }
  }

  #body(was, now) {
    const body = this.#was.resolve(was.requestBody);
    const other = this.#now.resolve(now.requestBody);
    if (other?.required && !body?.required) this.#add('request', '', 'a body is required');
    if (!body) return;
    if (!other) return this.#add('request', '', 'a body is no longer accepted');
    this.#content('request', this.#requests, body.content, other.content);
  }

  #answer(part, raw, rawNow) {
    const was = this.#was.resolve(raw);
    const now = this.#now.resolve(rawNow);
    this.#content(part, this.#answers, was.content, now.content);
    const headers = lowerCased(now.headers);
    for (const [name, header] of Object.entries(lowerCased(was.headers))) {
      const [known, other] = [this.#was.resolve(header), this.#now.resolve(headers[name])];
      if (!other) this.#add(part, `header ${name}`, 'is gone');
      else this.#schema(`${part}, header ${name}`, this.#answers, known.schema, other.schema);
    }
  }

  #content(part, breaks, was = {}, now = {}) {
    for (const [type, { schema }] of Object.entries(was)) {
      if (now[type]) this.#schema(part, breaks, schema, now[type].schema);
      else this.#add(part, type, 'is gone');
    }
  }

  /** Receivers read the body and the headers of an event like callers read a response. */
  #event(was, now) {
    const headers = parametersOf(now, this.#now);
    for (const [key, header] of parametersOf(was, this.#was)) {
      const other = headers.get(key);
      if (!other) this.#add('header', header.name, 'is gone');
      else if (header.required && !other.required) this.#add('header', header.name, 'can be missing');
      else this.#schema(`header ${header.name}`, this.#answers, header.schema, other.schema);
    }
    const [body, other] = [this.#was.resolve(was.requestBody), this.#now.resolve(now.requestBody)];
    this.#content('event', this.#answers, body?.content, other?.content);
    for (const status of Object.keys(was.responses ?? {})) {
      if (!(status in (now.responses ?? {}))) this.#add('event', '', `${status} no longer acknowledges`);
    }
  }
}

/** An error that a service no longer answers breaks no caller. */
const isError = (status) => /^[45]/.test(status);

/** `/a/{id}` and `/a/{visibleId}` are the same path, because callers do not send the parameter's name. */
const withoutNames = (path) => path.replace(/\{[^}]*\}/g, '{}');

/**
 * @returns {Map<string, object>} operations by method and path, each with the parameters of its path and its
 * `label`
 */
function operationsOf(items = {}, keyOf = (path) => path) {
  return new Map(
    Object.entries(items).flatMap(([path, item]) =>
      METHODS.filter((method) => item[method]).map((method) => [
        `${method} ${keyOf(path)}`,
        {
          ...item[method],
          path,
          label: `${method.toUpperCase()} ${path}`,
          parameters: [...(item.parameters ?? []), ...(item[method].parameters ?? [])],
        },
      ]),
    ),
  );
}

/**
 * Maps parameters by their identity: the position in the path, or else the name. Header names are
 * case-insensitive.
 */
function parametersOf({ path, parameters }, document) {
  const inPath = [...path.matchAll(/\{([^}]*)\}/g)].map(([, name]) => name);
  return new Map(
    parameters.map((raw) => {
      const parameter = document.resolve(raw);
      const { in: place, name } = parameter;
      if (place === 'path') return [`path ${inPath.indexOf(name)}`, parameter];
      return [`${place} ${place === 'header' ? name.toLowerCase() : name}`, parameter];
    }),
  );
}

/** A missing or empty list means that no credentials are required. */
const alternativesOfSecurity = (list) => (list === undefined || list.length === 0 ? [{}] : list);

const lowerCased = (headers = {}) =>
  Object.fromEntries(Object.entries(headers).map(([name, header]) => [name.toLowerCase(), header]));
