import type { Company } from '@counterfoil/identity';
import type { PartyEntry } from '@counterfoil/parties';
import type { Withholding } from '../domain/withholding';
import type { DocumentParties } from './ports/document-parties';

export function partiesOf(
  company: Company,
  entity: PartyEntry,
  withholding: Withholding | null = null,
): DocumentParties {
  const { name, taxId, legalName, address, phoneNumber, email, website } = company;
  const { bankAccounts, documentFooter, accentColor, logoFileId, documentLanguage } = company;
  return {
    issuer: {
      ...{ name, taxId, legalName, address, phoneNumber, email, website },
      ...{ bankAccounts, documentFooter, accentColor, logoFileId, documentLanguage },
    },
    recipient: {
      ...{ name: entity.name, taxId: entity.taxId, address: entity.address },
      documentLanguage: entity.documentLanguage,
      ...(withholding === null ? {} : { withholding }),
    },
  };
}
