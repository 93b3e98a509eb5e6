import { randomBytes } from 'node:crypto';
import { AppError, Clock, type Role, type Transaction, Transactions } from '@counterfoil/kernel';
import { Injectable } from '@nestjs/common';
import { API_KEY_PREFIX, hashKey, type KeyLimits, newKeyLimits } from '../domain/api-key';
import { IdentityRepository } from './ports/identity.repository';

export interface NewKeyInput extends Partial<KeyLimits> {
  /** Tells the keys of a user apart. */
  readonly name?: string | null;
  readonly role: Role;
  /** The user the key acts for; made in the company when there is none of that name. */
  readonly userName: string;
}

export interface CreatedKey {
  readonly id: number;
  readonly userId: number;
  readonly role: Role;
  /** Shown this once; only its hash is kept. */
  readonly key: string;
}

@Injectable()
export class CreateApiKey {
  constructor(
    private readonly transactions: Transactions,
    private readonly identities: IdentityRepository,
    private readonly clock: Clock,
  ) {}

  /**
   * @throws AppError `NOT_FOUND` for an unknown company; `VALIDATION_FAILED` for an expiry that is past, or an address
   *   that is none
   */
  execute(companyId: number, input: NewKeyInput): Promise<CreatedKey> {
    return this.transactions.run((tx) => this.create(tx, companyId, input));
  }

  /** The same within a transaction that is already open. `key` is made when none is given. */
  async create(
    tx: Transaction,
    companyId: number,
    input: NewKeyInput,
    key = randomKey(),
  ): Promise<CreatedKey> {
    const createdAt = this.clock.now();
    const { role, name = null, expiresAt = null, addresses = null } = input;
    const limits = newKeyLimits({ expiresAt, addresses }, createdAt);
    if (!(await this.identities.lockCompany(tx, companyId)))
      throw new AppError('NOT_FOUND', 'no such company');
    const userId = await this.identities.ensureUser(tx, companyId, input.userName, createdAt);
    const id = await this.identities.insertKey(tx, {
      companyId,
      userId,
      role,
      name,
      ...limits,
      keyHash: hashKey(key),
      createdAt,
    });
    return { id, userId, role, key };
  }
}

function randomKey(): string {
  return API_KEY_PREFIX + randomBytes(24).toString('base64url');
}
