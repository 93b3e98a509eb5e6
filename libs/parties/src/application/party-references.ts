import { FileDirectory } from '@counterfoil/files';
import { type Transaction, unknownReference } from '@counterfoil/kernel';
import { Injectable } from '@nestjs/common';
import type { PartyDetails } from '../domain/party';
import { AddressBookRepository } from './ports/address-book.repository';

interface Reference {
  readonly id: number;
  /** The name of the field in the request body. */
  readonly field: string;
}

/**
 * Checks that the ids in a body belong to this company. Addresses and contacts are never removed, so they
 * need no lock; a file is locked until the commit.
 */
@Injectable()
export class PartyReferences {
  constructor(
    private readonly addressBook: AddressBookRepository,
    private readonly files: FileDirectory,
  ) {}

  /** @throws AppError `UNKNOWN_REFERENCE` */
  async assertKnown(tx: Transaction, companyId: number, details: Partial<PartyDetails>): Promise<void> {
    const id = details.addressId ?? null;
    if (id !== null) await this.assertAddress(tx, companyId, { id, field: 'addressId' });
    for (const field of ['logoFileId', 'withholdingFileId'] as const) {
      const id = details[field] ?? null;
      if (id !== null) await this.assertFile(tx, companyId, { id, field });
    }
  }

  /** @throws AppError `UNKNOWN_REFERENCE` */
  async assertAddress(tx: Transaction, companyId: number, { id, field }: Reference): Promise<void> {
    if (!(await this.addressBook.hasAddress(tx, companyId, id))) throw unknownReference(field, 'address');
  }

  /** @throws AppError `UNKNOWN_REFERENCE` */
  async assertContact(tx: Transaction, companyId: number, { id, field }: Reference): Promise<void> {
    if (!(await this.addressBook.hasContact(tx, companyId, id))) throw unknownReference(field, 'contact');
  }

  private async assertFile(tx: Transaction, companyId: number, { id, field }: Reference): Promise<void> {
    if (!(await this.files.hold(tx, companyId, id))) throw unknownReference(field, 'file');
  }
}
