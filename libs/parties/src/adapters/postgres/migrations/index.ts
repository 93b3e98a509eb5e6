import { PartiesAndCatalog1795348800000 } from './1795348800000-parties-and-catalog';
import { PartyNames1795514400000 } from './1795514400000-party-names';
import { AddressReferences1795780300000 } from './1795780300000-address-references';
import { SearchGramPlan1795790620000 } from './1795790620000-search-gram-plan';
import { PartyLanguages1795790820000 } from './1795790820000-party-languages';
import { ClientReminders1795790830000 } from './1795790830000-client-reminders';
import { PlainVendorNames1795790872000 } from './1795790872000-plain-vendor-names';

export const PARTIES_MIGRATIONS = [
  PartiesAndCatalog1795348800000,
  PartyNames1795514400000,
  AddressReferences1795780300000,
  SearchGramPlan1795790620000,
  PartyLanguages1795790820000,
  ClientReminders1795790830000,
  PlainVendorNames1795790872000,
];
