import {
  DocumentReader,
  DocumentsModule,
  IssueDocument,
  type IssuedDocument,
  type NewDocument,
} from '@counterfoil/documents';
import { Authenticate, IdentityModule } from '@counterfoil/identity';
import { InventoryModule, RecordMovement } from '@counterfoil/inventory';
import type { Caller } from '@counterfoil/kernel';
import { CreateParty, PartiesModule, PartyReader } from '@counterfoil/parties';
import {
  type OpenContext,
  openTestContext,
  type PlainRoute,
  type SentStatement,
  statementsOf,
  testConfig,
} from '@counterfoil/test-harness';

/** UUIDs, and the ids of events. */
const NEW_ID = /\b[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}\b|(?<=\bevt_)[\da-f]{32}\b/g;
/** The statement that wakes the worker. Calls that come together share one, so it belongs to no single call. */
const WAKES = /\badd_job\(/;
const TAKES_NUMBER = /\bopen_document_issuance\(/;
const FIRST_PAGE = { limit: 50, offset: 0 };

/** A company of the bench. */
export interface Place {
  readonly caller: Caller;
  readonly key: string;
}

/** Learns the statements of the service's calls, so that a bare server can send the same ones. */
export class BareRoutes {
  private constructor(private readonly context: OpenContext) {}

  static async open(databaseUrl: string): Promise<BareRoutes> {
    const modules = [IdentityModule, PartiesModule, DocumentsModule, InventoryModule];
    return new BareRoutes(await openTestContext(testConfig(databaseUrl), modules));
  }

  close(): Promise<void> {
    return this.context.close();
  }

  vendor(place: Place, visibleId: string): Promise<PlainRoute> {
    const reader = this.context.get(PartyReader);
    return this.readBy(place, () => reader.find(place.caller.companyId, 'vendor', visibleId));
  }

  vendors(
    place: Place,
    filter: { readonly search?: string },
    page: { readonly offset: number } = FIRST_PAGE,
  ): Promise<PlainRoute> {
    const list = { role: 'vendor', filter, sort: { by: 'id', descending: false } } as const;
    const reader = this.context.get(PartyReader);
    return this.readBy(place, () => reader.list(place.caller.companyId, list, { ...FIRST_PAGE, ...page }));
  }

  document(place: Place, visibleId: string): Promise<PlainRoute> {
    const reader = this.context.get(DocumentReader);
    return this.readBy(place, () => reader.find(place.caller.companyId, { visibleId }));
  }

  documents(place: Place): Promise<PlainRoute> {
    const reader = this.context.get(DocumentReader);
    return this.readBy(place, () => reader.list(place.caller.companyId, {}, FIRST_PAGE));
  }

  async createVendor(
    place: Place,
    details: { name: string; taxId: string; type: 'COMPANY' },
  ): Promise<PlainRoute> {
    const create = this.context.get(CreateParty);
    const input = { details, contact: null };
    const sent = await sentFor(() => create.execute(place.caller, 'vendor', input));
    return this.routeOf(place, sent.map(withNewIds), 201);
  }

  /** @param details name a client of the place */
  async issue(
    place: Place,
    details: { readonly entityId: number; readonly items: NewDocument['items'] },
  ): Promise<PlainRoute> {
    const invoice: NewDocument = { ...details, type: 'TAX_INVOICE', payments: [] };
    let issued: IssuedDocument | undefined;
    const issue = async (): Promise<void> => {
      issued = await this.context.get(IssueDocument).execute(place.caller, invoice);
    };
    // The first call may do more, and remember it.
    await issue();
    const sent = await sentFor(issue);
    const { id, number, changeNumber } = issued!.document;
    // In a new company the number and the change number are equal, and ascend together.
    const taken = new Map([
      [changeNumber, '{changeNumber}'],
      [number, '{number}'],
      [id, '{id}'],
    ]);
    const taking = sent.findIndex(({ text }) => TAKES_NUMBER.test(text));
    const statements = sent
      .map(withNewIds)
      .map((statement, at) => (at > taking ? withColumns(statement, taken) : statement));
    return this.routeOf(place, statements, 201);
  }

  /** @param inventoryId of a stock record of the place */
  async move(place: Place, inventoryId: number): Promise<PlainRoute> {
    const none = { targetWarehouseId: null, unitPrice: null, reason: null, notes: null };
    const reference = { referenceId: null, referenceType: null };
    const movement = { inventoryId, movementType: 'ADD' as const, quantity: 1, ...none, ...reference };
    const move = () => this.context.get(RecordMovement).execute(place.caller, movement);
    await move();
    const sent = await sentFor(move);
    return this.routeOf(place, sent.map(withNewIds), 201);
  }

  private async readBy(place: Place, work: () => Promise<unknown>): Promise<PlainRoute> {
    // The first call may do more, and remember it.
    await work();
    return this.routeOf(place, (await sentFor(work)).map(sendable), 200);
  }

  /** With the look-up of the key, which comes first in every call. */
  private async routeOf(
    place: Place,
    statements: readonly SentStatement[],
    status: number,
  ): Promise<PlainRoute> {
    return { statements: [...(await this.keyLookup(place)), ...statements], status };
  }

  private async keyLookup({ key }: Place): Promise<SentStatement[]> {
    const authenticate = this.context.get(Authenticate);
    const look = () => authenticate.execute(key, { address: '127.0.0.1', doubtedAddress: null });
    return (await sentFor(look)).map(sendable);
  }
}

const sentFor = async (work: () => Promise<unknown>): Promise<SentStatement[]> =>
  (await statementsOf(work)).filter(({ text }) => !WAKES.test(text));

/** Values that can be sent to another process. */
function sendable({ values, ...statement }: SentStatement): SentStatement {
  return { ...statement, values: values.map(asText) };
}

function asText(value: unknown): unknown {
  if (Buffer.isBuffer(value)) return `\\x${value.toString('hex')}`;
  if (value instanceof Date) return value.toISOString();
  return Array.isArray(value) ? value.map(asText) : value;
}

function withNewIds(statement: SentStatement): SentStatement {
  const { values, ...rest } = sendable(statement);
  const renewed = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(renewed);
    return typeof value === 'string' ? value.replace(NEW_ID, '{uuid}') : value;
  };
  return { ...rest, values: values.map(renewed) };
}

/** @param taken the values that an earlier statement of the call returned, with the names of its columns */
function withColumns({ values, ...rest }: SentStatement, taken: ReadonlyMap<unknown, string>): SentStatement {
  return { ...rest, values: values.map((value) => taken.get(value) ?? value) };
}
