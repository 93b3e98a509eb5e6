export { PARTIES_COMPANY_DATA } from './adapters/postgres/company-data.sql';
export { PARTIES_MIGRATIONS } from './adapters/postgres/migrations';
export { CreateAddress } from './application/create-address';
export { CreateContact } from './application/create-contact';
export { CreateParty, type CreatePartyInput, type SentContact } from './application/create-party';
export { EditParty } from './application/edit-party';
export { AddressBookReader } from './application/ports/address-book.reader';
export { PartyDirectory, type PartyEntry } from './application/ports/party-directory';
export {
  PARTY_FILTERS,
  PARTY_SORTS,
  PartyReader,
  type PartyRecord,
  type PartyRow,
  type PartySort,
  type LogoFile,
} from './application/ports/party.reader';
export { type PartyIds } from './application/ports/party.repository';
export { VendorDirectory, type VendorKey } from './application/ports/vendor-directory';
export { type ContactDetails } from './domain/contact';
export {
  EMAIL_MAX,
  PARTY_TYPES,
  type PartyRole,
  type PartyType,
  type SentDetails,
  TAX_ID_MAX,
  PARTY_ROUNDINGS,
  type PartyRounding,
  WITHHOLDING_BASES,
  type WithholdingBase,
} from './domain/party';
export { withholdingOn, type WithholdingTerms } from './domain/withholding';
export { PartiesModule } from './parties.module';
