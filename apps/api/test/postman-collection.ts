import type { PostmanStep } from './postman-steps';

interface Variable {
  readonly key: string;
  readonly value?: string | null;
  readonly disabled?: boolean;
}

interface FormField {
  readonly key: string;
  readonly type: string;
  readonly src?: string;
}

interface Body {
  readonly raw?: string;
  readonly formdata?: readonly FormField[];
}

export interface PostmanRequest {
  readonly name: string;
  readonly request: {
    readonly method: string;
    readonly url: {
      readonly path: readonly string[];
      readonly query: readonly Variable[];
      readonly variable: readonly Variable[];
    };
    readonly body?: Body;
  };
  readonly event?: readonly object[];
}

export interface PostmanFolder {
  readonly name: string;
  readonly item: readonly (PostmanFolder | PostmanRequest)[];
}

/** A collection, with the properties that are read here. The others are kept. */
export interface PostmanCollection {
  readonly item: readonly (PostmanFolder | PostmanRequest)[];
}

/** The answer to a step. */
export interface PostmanAnswer {
  /** The name of the request in the arranged collection. */
  readonly name: string;
  readonly status: number;
  readonly text: string;
}

const UNTIL_ATTEMPTS_MAX = 120;
const UNTIL_PAUSE_MS = 500;

/** The requests of a collection by method and path, spelt as in the description. */
export function requestsOf({ item }: PostmanCollection): ReadonlyMap<string, PostmanRequest> {
  const flat = (one: PostmanFolder | PostmanRequest): PostmanRequest[] =>
    'item' in one ? one.item.flatMap(flat) : [one];
  return new Map(item.flatMap(flat).map((one) => [operationOf(one), one]));
}

function operationOf({ request: { method, url } }: PostmanRequest): string {
  const steps = url.path.map((step) => (step.startsWith(':') ? `{${step.slice(1)}}` : step));
  return `${method} /${steps.join('/')}`;
}

/** The name of the request of a step. Names are unique, because a step is repeated by its name. */
export const nameOf = ({ send }: PostmanStep, at: number): string => `${at + 1}. ${send}`;

/**
 * The collection to run: the requests of the steps in their order, with variables and scripts.
 *
 * @param file the path of the file to upload, relative to the working directory of the run
 */
export function arranged<Collection extends PostmanCollection>(
  collection: Collection,
  steps: readonly PostmanStep[],
  file: string,
): Collection {
  const requests = requestsOf(collection);
  const item = steps.map((step, at) => {
    const generated = requests.get(step.send);
    if (!generated) throw new Error(`the collection has no request ${step.send}`);
    const { request } = generated;
    return {
      ...generated,
      name: nameOf(step, at),
      request: { ...request, url: urlOf(generated, step), body: bodyOf(request.body, step, file) },
      event: [
        { listen: 'test', script: { type: 'text/javascript', exec: scriptOf(step, nameOf(step, at)) } },
      ],
    };
  });
  return { ...collection, item };
}

function urlOf({ request: { url } }: PostmanRequest, { uses = {}, enables = [], edited }: PostmanStep) {
  const filled = (one: Variable): Variable => {
    const value = edited?.path?.[one.key] ?? one.value ?? null;
    return { ...one, value: one.key in uses ? `{{${uses[one.key]}}}` : value };
  };
  return {
    ...url,
    variable: url.variable.map(filled),
    query: url.query.map((one) => filled(enables.includes(one.key) ? { ...one, disabled: false } : one)),
  };
}

function bodyOf(body: Body | undefined, { uses = {}, edited }: PostmanStep, file: string): Body | undefined {
  if (body?.formdata) {
    const chosen = (field: FormField) => (field.type === 'file' ? { ...field, src: file } : field);
    return { ...body, formdata: body.formdata.map(chosen) };
  }
  if (body?.raw === undefined) return body;
  const value: unknown = edited?.body ?? JSON.parse(body.raw);
  return { ...body, raw: withVariables(value, uses) };
}

/** The JSON text of a value, where variables replace the values of fields. That of a number gets no quotes. */
function withVariables(value: unknown, uses: Readonly<Record<string, string>>): string {
  const replaced = (name: string, one: unknown): unknown => {
    if (!(name in uses)) return one;
    return typeof one === 'number' ? `<{{${uses[name]}}}>` : `{{${uses[name]}}}`;
  };
  return JSON.stringify(value, replaced, 2).replace(/"<(\{\{\w+\}\})>"/g, '$1');
}

function scriptOf({ captures = {}, until }: PostmanStep, name: string): string[] {
  const sets = Object.entries(captures).map(
    ([variable, expression]) => `pm.environment.set('${variable}', ${expression});`,
  );
  const lines = [...sets, ...(until === undefined ? [] : repeated(until, name))];
  return lines.length === 0 ? [] : ['const body = pm.response.json();', ...lines];
}

/** The run goes on when all timers of a script have ended. */
const repeated = (until: string, name: string): string[] => [
  `const attempts = Number(pm.environment.get('attempts') ?? 0) + 1;`,
  `const isDone = ${until};`,
  `pm.environment.set('attempts', isDone ? 0 : attempts);`,
  `if (!isDone && attempts < ${UNTIL_ATTEMPTS_MAX}) {`,
  `  pm.execution.setNextRequest(${JSON.stringify(name)});`,
  `  setTimeout(() => undefined, ${UNTIL_PAUSE_MS});`,
  `} else pm.test(${JSON.stringify(until)}, () => pm.expect(isDone).to.equal(true));`,
];

/** The plan of a run: what is sent, and what cannot answer 2xx. */
export interface PostmanPlan {
  readonly steps: readonly PostmanStep[];
  readonly exceptions: Readonly<Record<string, string>>;
  /** Requests that are not sent, each with its reason. */
  readonly unsent?: Readonly<Record<string, string>>;
}

/** Requests that no step sends as they are, and entries of the plan that the collection does not have. */
export function gapsIn(
  collection: PostmanCollection,
  { steps, exceptions, unsent = {} }: PostmanPlan,
): string[] {
  const requests = [...requestsOf(collection).keys()];
  const sent = new Set(steps.filter(({ edited }) => !edited).map(({ send }) => send));
  const named = [...steps.map(({ send }) => send), ...Object.keys(exceptions), ...Object.keys(unsent)];
  return [
    ...requests
      .filter((one) => !sent.has(one) && !(one in unsent))
      .map((one) => `${one} is sent by no step as it is`),
    ...named.filter((one) => !requests.includes(one)).map((one) => `${one} is not in the collection`),
  ];
}

/** Steps that did not answer as the plan says. */
export function unexpectedIn(
  answers: readonly PostmanAnswer[],
  { steps, exceptions }: PostmanPlan,
): string[] {
  return steps.flatMap((step, at) => {
    const name = nameOf(step, at);
    const own = answers.filter((answer) => answer.name === name);
    if (own.length === 0) return [`${name} was not sent`];
    const refused = own.find(({ status }) => status < 200 || status > 299);
    const isException = step.send in exceptions && !step.edited;
    if (isException) return refused ? [] : [`${name} answers ${own[0]!.status}: it is no exception any more`];
    return refused ? [`${name} answered ${refused.status}: ${refused.text}`] : [];
  });
}
