import type { CallOptions, CreateAddressBody } from '@counterfoil/sdk';
import { type Ids, keys } from './existing';
import { forEachAtOnce, type SeedRun } from './seed-run';

/** The ids of parties and products by their names in the plan. */
export type IdsByName = ReadonlyMap<string, Ids>;

export function writeVendors(run: SeedRun): Promise<IdsByName> {
  const { client, existing, plan } = run;
  return writeEach(plan.vendors, ({ name, address, body }) => {
    const party = { kind: 'vendors', name, address, known: existing.vendors.get(body.taxId) } as const;
    return writeParty(run, party, async (addressId, options) => {
      const { vendorId: id, visibleId } = await client.vendors.create({ ...body, addressId }, options);
      return { id, visibleId };
    });
  });
}

export function writeClients(run: SeedRun): Promise<IdsByName> {
  const { client, existing, plan } = run;
  return writeEach(plan.clients, ({ name, address, body }) => {
    const party = { kind: 'clients', name, address, known: existing.clients.get(body.taxId) } as const;
    return writeParty(run, party, async (addressId, options) => {
      const { clientId: id, visibleId } = await client.clients.create({ ...body, addressId }, options);
      return { id, visibleId };
    });
  });
}

interface Party {
  readonly kind: 'vendors' | 'clients';
  readonly name: string;
  readonly address: CreateAddressBody;
  readonly known: Ids | undefined;
}

async function writeParty(
  run: SeedRun,
  { kind, name, address, known }: Party,
  create: (addressId: number, options: CallOptions) => Promise<Ids>,
): Promise<Ids> {
  if (known) run.found('addresses');
  return run.ensure(kind, name, known, async (options) =>
    create(await writeAddress(run, name, address), options),
  );
}

function writeAddress(run: SeedRun, name: string, address: CreateAddressBody): Promise<number> {
  return run.ensure('addresses', name, run.existing.addresses.get(keys.address(address)), async (options) => {
    const { addressId } = await run.client.addresses.create(address, options);
    return addressId;
  });
}

/** Writes all and remembers their ids. */
export async function writeEach<Planned extends { readonly name: string }>(
  planned: readonly Planned[],
  write: (one: Planned) => Promise<Ids>,
): Promise<IdsByName> {
  const ids = new Map<string, Ids>();
  await forEachAtOnce(planned, async (one) => void ids.set(one.name, await write(one)));
  return ids;
}
