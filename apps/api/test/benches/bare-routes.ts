import { DocumentReader, DocumentsModule } from '@counterfoil/documents';
import { Authenticate, IdentityModule } from '@counterfoil/identity';
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

const UUID = /\b[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}\b/g;
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
    const modules = [IdentityModule, PartiesModule, DocumentsModule];
    return new BareRoutes(await openTestContext(testConfig(databaseUrl), modules));
  }

  close(): Promise<void> {
    return this.context.close();
  }

  vendor(place: Place, visibleId: string): Promise<PlainRoute> {
    const reader = this.context.get(PartyReader);
    return this.readBy(place, () => reader.find(place.caller.companyId, 'vendor', visibleId));
  }

  vendors(place: Place, filter: { readonly search?: string }): Promise<PlainRoute> {
    const list = { role: 'vendor', filter, sort: { by: 'id', descending: false } } as const;
    const reader = this.context.get(PartyReader);
    return this.readBy(place, () => reader.list(place.caller.companyId, list, FIRST_PAGE));
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
    const sent = await statementsOf(() => create.execute(place.caller, 'vendor', input));
    return { statements: [...(await this.keyLookup(place)), ...sent.map(withNewIds)], status: 201 };
  }

  private async readBy(place: Place, work: () => Promise<unknown>): Promise<PlainRoute> {
    // The first call may do more, and remember it.
    await work();
    return { statements: [...(await this.keyLookup(place)), ...(await statementsOf(work)).map(sendable)] };
  }

  private async keyLookup({ key }: Place): Promise<SentStatement[]> {
    const authenticate = this.context.get(Authenticate);
    const look = () => authenticate.execute(key, { address: '127.0.0.1', doubtedAddress: null });
    return (await statementsOf(look)).map(sendable);
  }
}

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
    return typeof value === 'string' ? value.replace(UUID, '{uuid}') : value;
  };
  return { ...rest, values: values.map(renewed) };
}
