import { type Change, type ChangesOptions, sweep } from './changes.ts';
import { streamed, type StreamedDelivery, type StreamOptions } from './event-stream.ts';
import { type FileTransfers, fileTransfers } from './files.ts';
import type { ListOperation, Operation, Resource } from './operation.ts';
import * as operations from './operations.ts';
import type { CallOptions, ClientOptions } from './request.ts';
import { request, resourceOf } from './resource.ts';
import type { AnswerOf, Id } from './route.ts';
import { Transport } from './transport.ts';

type Operations = typeof operations;

/** A receipt to read: an uploaded file, or a document on the web. */
export type ReceiptSource =
  | { readonly fileId: Id }
  | {
      readonly url: string;
      /** Its extension tells how the document is read. Default: `file.pdf`. */
      readonly filename?: string;
    };

/** The fields that were found in a receipt, with a confidence for each. */
export type Extraction = AnswerOf<'GET /expenses/extract-from-file/{fileId}'>;

export interface DocumentFeed {
  /** Sweeps the change feed to its present end: every document that changed, in its latest state. */
  changes(changesOptions?: ChangesOptions, options?: CallOptions): AsyncGenerator<Change, void, undefined>;
}

export interface ReceiptReader {
  /** Finds the fields of an expense in a receipt. Creates nothing. */
  extract(source: ReceiptSource, options?: CallOptions): Promise<Extraction>;
}

/** The methods of the payment gateway. */
export interface Gateway {
  readonly providers: Resource<Operations['gatewayProviders']>;
  readonly tokens: Resource<Operations['gatewayTokens']>;
  readonly charges: Resource<Operations['charges']>;
  readonly paymentPages: Resource<Operations['paymentPages']>;
  readonly recurringPayments: Resource<Operations['recurringPayments']>;
}

/** The endpoints of webhooks, with their deliveries. */
export interface Webhooks extends Resource<Operations['webhooks']> {
  readonly deliveries: Resource<Operations['deliveries']>;
  /** Sends the events of a period again. */
  readonly replays: Resource<Operations['replays']>;
  /** The events of the company as they happen, without an endpoint. It reconnects by itself, and misses none. */
  stream(options?: StreamOptions): AsyncGenerator<StreamedDelivery, void, undefined>;
}

/**
 * A client of one company. It has no state but its options, so one serves a whole program.
 *
 * Calls reject with a `CounterfoilError`, with the reason of their `AbortSignal`, or with a `TypeError` for an
 * argument that cannot be sent.
 */
export class Counterfoil {
  readonly addresses: Resource<Operations['addresses']>;
  readonly apiKeys: Resource<Operations['apiKeys']>;
  readonly audit: Resource<Operations['audit']>;
  readonly caller: Resource<Operations['caller']>;
  readonly clients: Resource<Operations['clients']>;
  readonly company: Resource<Operations['company']>;
  readonly contacts: Resource<Operations['contacts']>;
  readonly customFields: Resource<Operations['customFields']>;
  readonly documents: Resource<Operations['documents']> & DocumentFeed;
  readonly exchangeRates: Resource<Operations['exchangeRates']>;
  readonly executionStatuses: Resource<Operations['executionStatuses']>;
  readonly expenses: Resource<Operations['expenses']> & ReceiptReader;
  readonly files: Resource<Operations['files']> & FileTransfers;
  readonly gateway: Gateway;
  readonly health: Resource<Operations['health']>;
  readonly pricelists: Resource<Operations['pricelists']>;
  readonly products: Resource<Operations['products']>;
  readonly purchases: Resource<Operations['purchases']>;
  readonly requests: Resource<Operations['requests']>;
  readonly mails: Resource<Operations['mails']>;
  readonly retainers: Resource<Operations['retainers']>;
  readonly savedReports: Resource<Operations['savedReports']>;
  readonly sessions: Resource<Operations['sessions']>;
  readonly stock: Resource<Operations['stock']>;
  readonly vendors: Resource<Operations['vendors']>;
  readonly warehouses: Resource<Operations['warehouses']>;
  readonly webhooks: Webhooks;

  /** @throws TypeError if an option cannot be used */
  constructor(options: ClientOptions) {
    const transport = new Transport(options);
    const resource = <Table extends Readonly<Record<string, Operation | ListOperation>>>(table: Table) =>
      resourceOf(transport, table);
    this.addresses = resource(operations.addresses);
    this.apiKeys = resource(operations.apiKeys);
    this.audit = resource(operations.audit);
    this.caller = resource(operations.caller);
    this.clients = resource(operations.clients);
    this.company = resource(operations.company);
    this.contacts = resource(operations.contacts);
    this.customFields = resource(operations.customFields);
    this.documents = documentsOf(transport);
    this.exchangeRates = resource(operations.exchangeRates);
    this.executionStatuses = resource(operations.executionStatuses);
    this.expenses = expensesOf(transport);
    this.files = { ...resource(operations.files), ...fileTransfers(transport) };
    this.gateway = {
      providers: resource(operations.gatewayProviders),
      tokens: resource(operations.gatewayTokens),
      charges: resource(operations.charges),
      paymentPages: resource(operations.paymentPages),
      recurringPayments: resource(operations.recurringPayments),
    };
    this.health = resource(operations.health);
    this.pricelists = resource(operations.pricelists);
    this.products = resource(operations.products);
    this.purchases = resource(operations.purchases);
    this.requests = resource(operations.requests);
    this.mails = resource(operations.mails);
    this.retainers = resource(operations.retainers);
    this.savedReports = resource(operations.savedReports);
    this.sessions = resource(operations.sessions);
    this.stock = resource(operations.stock);
    this.vendors = resource(operations.vendors);
    this.warehouses = resource(operations.warehouses);
    this.webhooks = {
      ...resource(operations.webhooks),
      deliveries: resource(operations.deliveries),
      replays: resource(operations.replays),
      stream: (options = {}) =>
        streamed((cursor, signal) => transport.openStream('/webhooks/stream', cursor, signal), options),
    };
  }
}

function documentsOf(transport: Transport): Counterfoil['documents'] {
  return {
    ...resourceOf(transport, operations.documents),
    changes: (changesOptions = {}, options) =>
      sweep(async (query) => {
        const batch = await request(transport, operations.documents.list, { ids: [], query, options });
        return batch as AnswerOf<'GET /documents'>;
      }, changesOptions),
  };
}

function expensesOf(transport: Transport): Counterfoil['expenses'] {
  const { fromFile, fromUrl } = resourceOf(transport, operations.extraction);
  return {
    ...resourceOf(transport, operations.expenses),
    extract: (source, options) =>
      'fileId' in source ? fromFile(source.fileId, options) : fromUrl({ ...source }, options),
  };
}
