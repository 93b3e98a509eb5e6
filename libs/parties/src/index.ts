export { PARTIES_MIGRATIONS } from './adapters/postgres/migrations';
export { CreateAddress } from './application/create-address';
export { CreateContact } from './application/create-contact';
export { CreateEntity, type CreateEntityInput, type SentContact } from './application/create-entity';
export { EditEntity } from './application/edit-entity';
export { AddressBookReader } from './application/ports/address-book.reader';
export { EntityDirectory, type EntityEntry } from './application/ports/entity-directory';
export {
  ENTITY_FILTERS,
  ENTITY_SORTS,
  EntityReader,
  type EntityRecord,
  type EntityRow,
  type EntitySort,
  type LogoFile,
} from './application/ports/entity.reader';
export { type EntityIds } from './application/ports/entity.repository';
export { VendorDirectory, type VendorKey } from './application/ports/vendor-directory';
export { type AddressDetails, type ContactDetails } from './domain/contact';
export {
  EMAIL_MAX,
  ENTITY_TYPES,
  type EntityRole,
  type EntityType,
  type SentDetails,
  TAX_ID_MAX,
  TOTAL_ROUNDINGS,
  type TotalRounding,
  WITHHOLDING_BASES,
  type WithholdingBase,
} from './domain/entity';
export { PartiesModule } from './parties.module';
