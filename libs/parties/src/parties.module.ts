import { IdempotencyModule } from '@counterfoil/idempotency';
import { FilesModule } from '@counterfoil/files';
import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import {
  AddressSchema,
  ContactSchema,
  EntityContactSchema,
  PartySchema,
} from './adapters/postgres/entity.schema';
import { PostgresAddressBookReader } from './adapters/postgres/postgres-address-book.reader';
import { PostgresAddressBookRepository } from './adapters/postgres/postgres-address-book.repository';
import { PostgresEntityDirectory } from './adapters/postgres/postgres-entity-directory';
import { PostgresEntityReader } from './adapters/postgres/postgres-entity.reader';
import { PostgresEntityRepository } from './adapters/postgres/postgres-entity.repository';
import { PostgresVendorDirectory } from './adapters/postgres/postgres-vendor-directory';
import { CreateAddress } from './application/create-address';
import { CreateContact } from './application/create-contact';
import { CreateEntity } from './application/create-entity';
import { EditEntity } from './application/edit-entity';
import { AddressBookReader } from './application/ports/address-book.reader';
import { AddressBookRepository } from './application/ports/address-book.repository';
import { EntityDirectory } from './application/ports/entity-directory';
import { EntityReader } from './application/ports/entity.reader';
import { EntityRepository } from './application/ports/entity.repository';
import { VendorDirectory } from './application/ports/vendor-directory';
import { References } from './application/references';

const USE_CASES = [CreateAddress, CreateContact, CreateEntity, EditEntity];

@Module({
  imports: [
    FilesModule,
    IdempotencyModule,
    TypeOrmModule.forFeature([AddressSchema, ContactSchema, EntityContactSchema, PartySchema]),
  ],
  providers: [
    ...USE_CASES,
    References,
    { provide: AddressBookReader, useClass: PostgresAddressBookReader },
    { provide: AddressBookRepository, useClass: PostgresAddressBookRepository },
    { provide: EntityDirectory, useClass: PostgresEntityDirectory },
    { provide: EntityReader, useClass: PostgresEntityReader },
    { provide: EntityRepository, useClass: PostgresEntityRepository },
    { provide: VendorDirectory, useClass: PostgresVendorDirectory },
  ],
  exports: [...USE_CASES, AddressBookReader, EntityDirectory, EntityReader, VendorDirectory],
})
export class PartiesModule {}
