import { PAYMENT_TERM_TYPES, type PaymentTermType } from '@counterfoil/kernel';
import { ENTITY_TYPES, type EntityType } from '@counterfoil/parties';
import { ApiProperty } from '@nestjs/swagger';
import { ChoiceField, IdField, IntegerField, TextField } from '../http/fields';

const EMAIL = { pattern: /^[^\s@]+@[^\s@]+\.[^\s@]+$/, problem: 'must be an e-mail address' };

/** A vendor that is to be a client too: nothing but its id is read. */
export class MarkAsClientBody {
  @IdField({
    presence: 'required',
    description: 'An existing vendor that is to be a client too; then nothing else is read.',
  })
  readonly entityId!: number;
}

/** A new client. */
export class CreateClientBody {
  @TextField({ presence: 'required', max: 20, example: '514000000' })
  readonly taxId!: string;

  @TextField({ presence: 'required', max: 200, example: 'Acme Ltd' })
  readonly name!: string;

  @ChoiceField({ presence: 'required', choices: ENTITY_TYPES, example: 'COMPANY' })
  readonly type!: EntityType;

  @TextField({ presence: 'optional', max: 254, form: EMAIL })
  readonly email?: string | null;

  @TextField({ presence: 'optional', max: 20 })
  readonly phoneNumber?: string | null;

  @ChoiceField({ presence: 'optional', choices: PAYMENT_TERM_TYPES })
  readonly paymentTermType?: PaymentTermType | null;

  @IntegerField({ presence: 'optional', min: 0, max: 365 })
  readonly paymentTermDays?: number | null;
}

export class CreatedClientBody {
  @ApiProperty({ enum: [true] })
  readonly success!: true;
  @ApiProperty({ type: 'integer', description: 'The numeric entity id, which documents name as entityId.' })
  readonly clientId!: number;
  @ApiProperty({ format: 'uuid' })
  readonly visibleId!: string;
}
