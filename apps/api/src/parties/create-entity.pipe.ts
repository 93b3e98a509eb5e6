import type { CreateEntityInput, SentContact } from '@counterfoil/parties';
import { type PipeTransform } from '@nestjs/common';
import { createValidationPipe } from '../http/validation';
import { contactDetails } from './address-book.presenter';
import { type CreateEntityBody, MarkEntityBody } from './entity.dto';

type Sent = Record<string, unknown> | undefined;

/** Reads one of two bodies: with `entityId` an entity that is there, without it a new one of the class given. */
export class CreateEntityPipe implements PipeTransform<Sent, Promise<CreateEntityInput>> {
  private readonly validation = createValidationPipe();

  constructor(private readonly created: new () => CreateEntityBody) {}

  async transform(body: Sent): Promise<CreateEntityInput> {
    if ((body?.['entityId'] ?? null) !== null) {
      const { entityId } = await this.check(body, MarkEntityBody);
      return { entityId };
    }
    const { existingContactId, contact, ...details } = await this.check(body, this.created);
    return { details, contact: contactOf(existingContactId, contact) };
  }

  private async check<T>(body: unknown, metatype: new () => T): Promise<T> {
    return (await this.validation.transform(body, { type: 'body', metatype })) as T;
  }
}

function contactOf(
  existingId: CreateEntityBody['existingContactId'],
  contact: CreateEntityBody['contact'],
): SentContact | null {
  if (existingId) return { existingId };
  return contact ? contactDetails(contact) : null;
}
