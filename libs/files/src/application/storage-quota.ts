import { Config } from '@counterfoil/config';
import { IdentityReader } from '@counterfoil/identity';
import { Injectable } from '@nestjs/common';
import { assertRoomFor, isLimited, type StorageLimits, type StorageUsage } from '../domain/storage-quota';
import { FileReader } from './ports/file.reader';

const NOTHING: StorageUsage = { bytes: 0, files: 0 };

/** A company's quota and its recent usage. Enough to refuse an upload early, but not to accept it. */
export interface StorageRoom {
  readonly limits: StorageLimits;
  readonly usage: StorageUsage;
}

/** The limits of a company: its own, or else those of the installation. */
@Injectable()
export class StorageQuota {
  constructor(
    private readonly config: Config,
    private readonly identities: IdentityReader,
    private readonly files: FileReader,
  ) {}

  /**
   * Refuses an upload before any of its bytes are read.
   *
   * @throws AppError `LIMIT_REACHED` if the company cannot store one more byte
   */
  async assertRoom(companyId: number): Promise<StorageRoom> {
    const room = await this.roomOf(companyId);
    assertRoomFor(1, room.usage, room.limits);
    return room;
  }

  /** Does not query the usage if nothing is limited. */
  async roomOf(companyId: number): Promise<StorageRoom> {
    const { quota } = this.config.files;
    const { fileBytes = quota.bytes, fileCount = quota.files } = await this.identities.limits(companyId);
    const limits = { bytes: fileBytes, files: fileCount };
    return { limits, usage: isLimited(limits) ? await this.files.usage(companyId) : NOTHING };
  }
}
