import { PartiesAndCatalog1795348800000 } from './1795348800000-parties-and-catalog';
import { PartyNames1795514400000 } from './1795514400000-party-names';
import { AddressReferences1795780300000 } from './1795780300000-address-references';

export const PARTIES_MIGRATIONS = [
  PartiesAndCatalog1795348800000,
  PartyNames1795514400000,
  AddressReferences1795780300000,
];
