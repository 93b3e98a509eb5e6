import { type AppError, validationFailed } from '@counterfoil/kernel';
import type { FastifyInstance, FastifyReply } from 'fastify';
import { fieldPath } from './field-path';
import { fieldsReadBy, type KnownFields, type RouteFields } from './known-fields';
import { prefersStrict } from './prefer';
import type { AuthenticatedRequest } from './route.decorators';

/** Fields found in one request. The search ends there, because a body may hold thousands. */
const FOUND_MAX = 100;
/** Fields named in the header, the length of each as it was sent, and of all, in characters. */
const SHOWN_MAX = 20;
const NAME_LENGTH_MAX = 100;
const HEADER_LENGTH_MAX = 1_024;
const MORE = '...';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The fields that the route reads. A route of the framework has none. */
    readonly fields?: RouteFields;
  }
}

/** A request whose body is a form, which the handler reads itself. */
export interface FormRequest extends AuthenticatedRequest {
  /** Takes note of a part that the handler ignores. Returns the refusal that the caller asked for, if any. */
  ignorePart?: (name: string) => AppError | null;
}

/**
 * Names the fields that a request has and its route does not read in the header `Ignored-Fields`, and refuses the
 * request if its caller prefers so (contract §1.11). Call this after adding the hooks that refuse callers.
 */
export function nameIgnoredFields(server: FastifyInstance): void {
  server.addHook('onRoute', (route) => {
    const { handler, bodyFields } = route.config ?? {};
    if (handler) route.config = { ...route.config, fields: fieldsReadBy(handler, bodyFields) };
  });
  server.addHook('preHandler', (request: FormRequest, reply, done) => {
    const { fields, upload } = request.routeOptions.config;
    if (!fields) return done();
    const isStrict = prefersStrict(request.headers.prefer);
    if (isStrict) void reply.header('preference-applied', 'handling=strict');
    const ignored = ignoredIn(request.query as object, request.body, fields);
    if (upload) {
      request.ignorePart = (name) => {
        ignored.push(name);
        return tell(reply, ignored, isStrict);
      };
    }
    done(ignored.length === 0 ? undefined : (tell(reply, ignored, isStrict) ?? undefined));
  });
}

function tell(reply: FastifyReply, ignored: readonly string[], isStrict: boolean): AppError | null {
  void reply.header('ignored-fields', listed(ignored));
  if (!isStrict) return null;
  return validationFailed(
    ignored.map((field) => ({ field, problem: 'is unknown, and Prefer: handling=strict refuses it' })),
  );
}

function ignoredIn(query: object, body: unknown, fields: RouteFields): string[] {
  const names = Object.keys(query).filter((name) => !fields.query.has(name));
  const found = names.slice(0, FOUND_MAX).map((name) => fieldPath([name]));
  if (typeof body !== 'object' || body === null || !fields.body) return found;
  return [...found, ...unknownFieldsOf(body, fields.body, FOUND_MAX - found.length)];
}

/**
 * Finds the fields of an object that are not known, by their positions. Fields of a value that may be any are not
 * searched.
 */
export function unknownFieldsOf(object: object, known: KnownFields, max = FOUND_MAX): readonly string[] {
  const walk = new FieldWalk(max);
  walk.takeObject(object, known);
  return walk.found;
}

/** The position of a field is computed only if it is unknown. */
class FieldWalk {
  readonly found: string[] = [];
  private readonly path: (string | number)[] = [];

  constructor(private readonly max: number) {}

  takeObject(object: object, known: KnownFields): void {
    for (const name of Object.keys(object)) {
      if (this.found.length >= this.max) return;
      const fields = known.get(name);
      if (fields === undefined) this.found.push(fieldPath([...this.path, name]));
      else if (fields !== null) this.takeValue(name, (object as Record<string, unknown>)[name], fields);
    }
  }

  private takeValue(key: string | number, value: unknown, known: KnownFields): void {
    if (typeof value !== 'object' || value === null) return;
    this.path.push(key);
    if (Array.isArray(value)) {
      for (let index = 0; index < value.length; index++) this.takeValue(index, value[index], known);
    } else this.takeObject(value, known);
    this.path.pop();
  }
}

/** Lists names in a header, with a last entry `...` in place of those that it has no room for. */
export function listed(names: readonly string[]): string {
  let text = '';
  for (const [index, name] of names.entries()) {
    const entry = index === 0 ? safe(name) : `, ${safe(name)}`;
    if (index === SHOWN_MAX || text.length + entry.length > HEADER_LENGTH_MAX) return `${text}, ${MORE}`;
    text += entry;
  }
  return text;
}

/** Encodes all but letters, digits and a few marks, so that no name can end its entry or the header. */
function safe(name: string): string {
  if (name === '') return '""';
  const shown = name.length > NAME_LENGTH_MAX ? name.slice(0, NAME_LENGTH_MAX) : name;
  const encoded = shown.replace(/[^\w.[\]-]+/g, (run) => encodeURIComponent(run.toWellFormed()));
  return shown === name ? encoded : `${encoded}${MORE}`;
}
