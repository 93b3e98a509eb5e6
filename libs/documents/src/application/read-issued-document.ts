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
   *
   * @param check throws if the caller cannot use the document. Nothing is recorded then
   */
  async execute(
    companyId: number,
    key: IssuedKey,
    check: (document: IssuedContent) => void = () => undefined,
  ): Promise<IssuedContent | null> {
    const document = await this.documents.findWithParties(companyId, key);
    if (!document) return null;
    const { parties: recorded } = document;
    const found = { ...document, parties: recorded ?? (await this.presentParties(companyId, document)) };
    check(found);
    if (recorded) return found;
    return { ...found, parties: await this.record(companyId, found) };
  }

  private async presentParties(companyId: number, { entity }: DocumentWithParties): Promise<DocumentParties> {
    const [company, party] = await Promise.all([
      this.identities.company(companyId),
      this.directory.find(companyId, entity.id),
    ]);
    if (!company || !party) throw new Error(`the company or the party ${entity.id} of a document is missing`);
    return partiesOf(company, party);
  }

  /** Returns those of another call that was faster. */
  private async record(companyId: number, { id, parties }: IssuedContent): Promise<DocumentParties> {
    await this.repository.recordParties(companyId, id, parties);
    const recorded = await this.documents.findWithParties(companyId, { id });
    if (!recorded?.parties) throw new Error('the parties of a document were just recorded');
    return recorded.parties;
  }
}
