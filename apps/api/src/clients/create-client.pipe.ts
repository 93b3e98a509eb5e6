import type { CreateClientInput } from '@counterfoil/parties';
import { Injectable, type PipeTransform } from '@nestjs/common';
import { createValidationPipe } from '../http/validation';
import { CreateClientBody, MarkAsClientBody } from './clients.dto';

/** Reads one of the two bodies: with `entityId` it marks an entity, without it is a new client. */
@Injectable()
export class CreateClientPipe implements PipeTransform<
  Record<string, unknown> | undefined,
  Promise<CreateClientInput>
> {
  private readonly validation = createValidationPipe();

  async transform(body: Record<string, unknown> | undefined): Promise<CreateClientInput> {
    if (body?.['entityId'] !== undefined && body['entityId'] !== null) {
      const { entityId } = await this.check(body, MarkAsClientBody);
      return { entityId };
    }
    const client = await this.check(body, CreateClientBody);
    return {
      details: {
        name: client.name,
        taxId: client.taxId,
        type: client.type,
        email: client.email ?? null,
        phoneNumber: client.phoneNumber ?? null,
        paymentTermType: client.paymentTermType ?? null,
        paymentTermDays: client.paymentTermDays ?? null,
      },
    };
  }

  private async check<T>(body: unknown, metatype: new () => T): Promise<T> {
    return (await this.validation.transform(body, { type: 'body', metatype })) as T;
  }
}
