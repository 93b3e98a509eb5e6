import { IdempotencyModule } from '@counterfoil/idempotency';
import { FilesModule } from '@counterfoil/files';
import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import {
  AddressSchema,
  ContactSchema,
  PartyContactSchema,
  PartySchema,
} from './adapters/postgres/party.schema';
import { PostgresAddressBookReader } from './adapters/postgres/postgres-address-book.reader';
import { PostgresAddressBookRepository } from './adapters/postgres/postgres-address-book.repository';
import { PostgresPartyDirectory } from './adapters/postgres/postgres-party-directory';
import { PostgresPartyReader } from './adapters/postgres/postgres-party.reader';
import { PostgresPartyRepository } from './adapters/postgres/postgres-party.repository';
import { PostgresVendorDirectory } from './adapters/postgres/postgres-vendor-directory';
import { CreateAddress } from './application/create-address';
import { CreateContact } from './application/create-contact';
import { CreateParty } from './application/create-party';
import { EditParty } from './application/edit-party';
import { AddressBookReader } from './application/ports/address-book.reader';
import { AddressBookRepository } from './application/ports/address-book.repository';
import { PartyDirectory } from './application/ports/party-directory';
import { PartyReader } from './application/ports/party.reader';
import { PartyRepository } from './application/ports/party.repository';
import { VendorDirectory } from './application/ports/vendor-directory';
import { PartyReferences } from './application/party-references';

const USE_CASES = [CreateAddress, CreateContact, CreateParty, EditParty];

@Module({
  imports: [
    FilesModule,
    IdempotencyModule,
    TypeOrmModule.forFeature([AddressSchema, ContactSchema, PartyContactSchema, PartySchema]),
  ],
  providers: [
    ...USE_CASES,
    PartyReferences,
    { provide: AddressBookReader, useClass: PostgresAddressBookReader },
    { provide: AddressBookRepository, useClass: PostgresAddressBookRepository },
    { provide: PartyDirectory, useClass: PostgresPartyDirectory },
    { provide: PartyReader, useClass: PostgresPartyReader },
    { provide: PartyRepository, useClass: PostgresPartyRepository },
    { provide: VendorDirectory, useClass: PostgresVendorDirectory },
  ],
  exports: [...USE_CASES, AddressBookReader, PartyDirectory, PartyReader, VendorDirectory],
})
export class PartiesModule {}
