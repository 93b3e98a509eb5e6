import { EXAMPLE_CALLS, type ExampleCall } from './describe-examples';
import type { Json } from './map-schemas';

/** The SDK's names of the operations that the description calls otherwise. */
const RESOURCES: Readonly<Record<string, string>> = {
  cards: 'gateway.tokens',
  charges: 'gateway.charges',
  documentExecutionStatuses: 'executionStatuses',
  inventory: 'stock',
  paymentPages: 'gateway.paymentPages',
  recurringPayments: 'gateway.recurringPayments',
};
const METHODS: Readonly<Record<string, string>> = {
  'documents.listShares': 'documents.shares',
  'documents.listReminders': 'documents.reminders',
  'documents.get': 'documents.getById',
  'documents.getByVisibleId': 'documents.get',
  'documents.previewPage': 'documents.previewHtml',
  'documents.setAllocationNumber': 'documents.assignApprovalNumber',
  'expenses.extractFromFile': 'expenses.extract',
  'expenses.extractFromUrl': 'expenses.extract',
  'files.download': 'files.content',
  'gateway.listProviders': 'gateway.providers.list',
  'movements.create': 'stock.move',
  'movements.list': 'stock.movements',
  'products.listSerials': 'products.serials',
  'webhooks.getDelivery': 'webhooks.deliveries.get',
  'webhooks.getReplay': 'webhooks.replays.get',
  'webhooks.listDeliveries': 'webhooks.deliveries.list',
  'webhooks.listEventTypes': 'webhooks.eventTypes',
  'webhooks.replayDelivery': 'webhooks.deliveries.replay',
  'webhooks.sendTest': 'webhooks.test',
  'webhooks.startReplay': 'webhooks.replays.create',
};
/** Routes that answer all rows, which the SDK returns as they are. */
const ANSWERED_WHOLE: ReadonlySet<string> = new Set([
  'pricelists.get',
  'pricelists.getByEntityId',
  'webhooks.listEventTypes',
]);
/** Answers until the caller ends it. */
const STREAM = 'webhooks.stream';
/** Pages that payers and recipients of documents open, without a key. */
const OUTSIDE_THE_SDK = /^(sandboxPages|sharedDocuments)\./;

/** An operation with what its samples need of it. */
interface Sampled {
  readonly method: string;
  readonly path: string;
  readonly operation: Json;
}

/** Adds a call by the SDK and one in Python, with the values of the recorded example. */
export function describeSamples({ method, path, operation }: Sampled, publicUrl: string): void {
  const call = EXAMPLE_CALLS.find(
    (one) => one.operation === operation['operationId'] && one.isShown !== false && one.status < 300,
  );
  if (!call) return;
  const sample = (lang: string, label: string, source: string) => ({ lang, label, source });
  operation['x-codeSamples'] = [
    ...(OUTSIDE_THE_SDK.test(call.operation)
      ? []
      : [sample('javascript', 'Node (SDK)', nodeSample(call, operation, publicUrl))]),
    sample('python', 'Python', pythonSample(call, { method, path, operation }, publicUrl)),
  ];
}

function nodeSample(call: ExampleCall, operation: Json, publicUrl: string): string {
  const [resource = '', name = ''] = call.operation.split('.');
  const method = METHODS[call.operation] ?? `${RESOURCES[resource] ?? resource}.${name}`;
  const invoked = `client.${method}(${argumentsOf(call).join(', ')})`;
  return [
    "import { Counterfoil } from '@counterfoil/sdk';",
    '',
    `const client = new Counterfoil({ apiKey: 'YOUR_API_KEY', baseUrl: '${publicUrl}' });`,
    ...usedIn(call, operation, invoked),
    '',
  ].join('\n');
}

function usedIn({ operation: name }: ExampleCall, operation: Json, invoked: string): string[] {
  if (name === STREAM)
    return [`for await (const { headers, body } of ${invoked}) console.log(headers, body);`];
  if (operation['x-list'] === undefined || ANSWERED_WHOLE.has(name))
    return [`const answer = await ${invoked};`, 'console.log(answer);'];
  return [`for await (const row of ${invoked}) console.log(row);`];
}

function argumentsOf({ operation, path = {}, query, body }: ExampleCall): string[] {
  if (operation === 'files.upload') return ["'receipt.jpg'"];
  if (operation === 'expenses.extractFromFile') return [literal(path, JAVASCRIPT)];
  const input = body ?? query;
  return [...Object.values(path), ...(input === undefined ? [] : [input])].map((one) =>
    literal(one, JAVASCRIPT),
  );
}

function pythonSample(call: ExampleCall, { method, path, operation }: Sampled, publicUrl: string): string {
  const parameters = (operation['parameters'] ?? []) as readonly Json[];
  const isKeyed = parameters.some(({ name }) => name === 'Idempotency-Key');
  const url = publicUrl + path.replace(/\{(\w+)\}/g, (_, name: string) => String(call.path?.[name]));
  const key = isKeyed ? ', "Idempotency-Key": str(uuid.uuid4())' : '';
  const lines = [
    `"${url}",`,
    `headers={"Authorization": "Bearer YOUR_API_KEY"${key}},`,
    ...(call.query === undefined ? [] : [`params=${literal(inQuery(call.query), PYTHON, 1)},`]),
    ...bodyInPython(call),
    ...(call.operation === STREAM ? ['stream=True,'] : []),
  ];
  return [
    ...(isKeyed ? ['import uuid'] : []),
    'import requests',
    '',
    `response = requests.${method}(`,
    ...lines.map((line) => `    ${line}`),
    ')',
    'response.raise_for_status()',
    call.operation === STREAM
      ? 'for line in response.iter_lines(decode_unicode=True): print(line)'
      : `print(response.${answerInPython(operation)})`,
    '',
  ].join('\n');
}

/** `requests` would send True for true. */
const inQuery = (query: NonNullable<ExampleCall['query']>) =>
  Object.fromEntries(
    Object.entries(query).map(([name, one]) => [name, typeof one === 'boolean' ? String(one) : one]),
  );

function bodyInPython({ operation, body }: ExampleCall): string[] {
  if (operation === 'files.upload') return ['files={"file": open("receipt.jpg", "rb")},'];
  return body === undefined ? [] : [`json=${literal(body, PYTHON, 1)},`];
}

function answerInPython({ responses }: Json): string {
  const [answer] = Object.entries(responses as Record<string, { content?: Json }>)
    .filter(([status]) => status.startsWith('2'))
    .map(([, { content = {} }]) => Object.keys(content)[0]);
  if (answer === 'application/json') return 'json()';
  return answer === 'text/html' ? 'text' : 'content';
}

interface Language {
  readonly indent: string;
  /** Between a brace and what it contains. */
  readonly space: string;
  readonly words: Readonly<Record<string, string>>;
  readonly nameOf: (key: string) => string;
  readonly textOf: (text: string) => string;
}

const JAVASCRIPT: Language = {
  indent: '  ',
  space: ' ',
  words: {},
  nameOf: (key) => (/^[A-Za-z_$][\w$]*$/.test(key) ? key : JSON.stringify(key)),
  textOf: (text) => (/['\\\n]/.test(text) ? JSON.stringify(text) : `'${text}'`),
};
const PYTHON: Language = {
  indent: '    ',
  space: '',
  words: { true: 'True', false: 'False', null: 'None' },
  nameOf: (key) => JSON.stringify(key),
  textOf: (text) => JSON.stringify(text),
};

const LINE_LENGTH = 80;

/** Writes a value of JSON in a language: on one line if it is short, else with a line for each part. */
function literal(value: unknown, language: Language, depth = 0): string {
  const { words, nameOf, textOf, indent, space } = language;
  if (typeof value === 'string') return textOf(value);
  if (typeof value !== 'object' || value === null) return words[String(value)] ?? String(value);
  const isArray = Array.isArray(value);
  const parts = Object.entries(value).map(([key, one]) => {
    const text = literal(one, language, depth + 1);
    return isArray ? text : `${nameOf(key)}: ${text}`;
  });
  return isArray ? bracketed('[]', parts, '') : bracketed('{}', parts, space);

  function bracketed([open = '', close = '']: string, inner: readonly string[], pad: string): string {
    const line = inner.join(', ');
    if (inner.length === 0) return open + close;
    if (line.length <= LINE_LENGTH && !line.includes('\n')) return `${open}${pad}${line}${pad}${close}`;
    const lines = inner.map((part) => `${indent.repeat(depth + 1)}${part},\n`).join('');
    return `${open}\n${lines}${indent.repeat(depth)}${close}`;
  }
}
