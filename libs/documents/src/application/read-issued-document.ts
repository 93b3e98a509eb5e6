import { IdentityReader } from '@counterfoil/identity';
import { PartyDirectory } from '@counterfoil/parties';
import { Injectable } from '@nestjs/common';
import { partiesOf } from './document-parties';
import type { DocumentParties } from './ports/document-parties';
import { DocumentReader, type DocumentWithParties, type IssuedKey } from './ports/document.reader';

export interface IssuedContent extends DocumentWithParties {
  readonly parties: DocumentParties;
}

/** Reads all that the pages of an issued document show (contract §8.15). */
@Injectable()
export class ReadIssuedDocument {
  constructor(
    private readonly documents: DocumentReader,
    private readonly identities: IdentityReader,
    private readonly directory: PartyDirectory,
  ) {}

  /**
   * Null if the company has no such document. A document that was issued before parties were recorded has the company and
   * the party as they are now.
   */
  async execute(companyId: number, key: IssuedKey): Promise<IssuedContent | null> {
    const document = await this.documents.findWithParties(companyId, key);
    if (!document) return null;
    const parties = document.parties ?? (await this.currentParties(companyId, document.entity.id));
    return { ...document, parties };
  }

  private async currentParties(companyId: number, entityId: number): Promise<DocumentParties> {
    const [company, entity] = await Promise.all([
      this.identities.company(companyId),
      this.directory.find(companyId, entityId),
    ]);
    if (!company || !entity) throw new Error('a document has a company and a party, which are never removed');
    return partiesOf(company, entity);
  }
}
