import { IdentityReader } from '@counterfoil/identity';
import { PartyDirectory } from '@counterfoil/parties';
import { Injectable } from '@nestjs/common';
import { partiesOf } from './document-parties';
import type { DocumentParties } from './ports/document-parties';
import { DocumentRepository } from './ports/document.repository';
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
    private readonly repository: DocumentRepository,
  ) {}

  /**
   * Null if the company has no such document. A document without recorded parties, which an earlier release issued, gets
   * the company and the party as they are now, and keeps them.
   */
  async execute(companyId: number, key: IssuedKey): Promise<IssuedContent | null> {
    const document = await this.documents.findWithParties(companyId, key);
    if (!document) return null;
    const parties = document.parties ?? (await this.recordedParties(companyId, document));
    return { ...document, parties };
  }

  private async recordedParties(companyId: number, document: DocumentWithParties): Promise<DocumentParties> {
    const { id, entity } = document;
    const [company, party] = await Promise.all([
      this.identities.company(companyId),
      this.directory.find(companyId, entity.id),
    ]);
    if (!company || !party) throw new Error('a document has a company and a party, which are never removed');
    await this.repository.recordParties(companyId, id, partiesOf(company, party));
    const recorded = await this.documents.findWithParties(companyId, { id });
    if (!recorded?.parties) throw new Error('the parties of a document were just recorded');
    return recorded.parties;
  }
}
