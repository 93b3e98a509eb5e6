import { PAYMENT_TERM_TYPES, type PaymentTermType } from '@counterfoil/kernel';
import { ENTITY_TYPES, type EntityType } from '@counterfoil/parties';
import { ApiProperty } from '@nestjs/swagger';
import { AddressBody, ContactBody } from './address-book.dto';

export class LogoFileBody {
  @ApiProperty({ type: 'integer' })
  readonly id!: number;
  @ApiProperty()
  readonly fileName!: string;
  @ApiProperty()
  readonly mimeType!: string;
  @ApiProperty({ format: 'uri' })
  readonly remoteUrl!: string;
}

/** What lists show of vendors and clients alike. */
export class EntityRowBody {
  @ApiProperty({ type: 'integer' })
  readonly id!: number;
  @ApiProperty({ format: 'uuid' })
  readonly visibleId!: string;
  @ApiProperty()
  readonly name!: string;
  @ApiProperty()
  readonly taxId!: string;
  @ApiProperty({ enum: ENTITY_TYPES, description: 'Licensed dealer, company, exempt dealer.' })
  readonly type!: EntityType;
  @ApiProperty({ type: 'string', nullable: true })
  readonly email!: string | null;
  @ApiProperty({ type: 'string', nullable: true, maxLength: 20 })
  readonly phoneNumber!: string | null;
  @ApiProperty({ enum: PAYMENT_TERM_TYPES, description: "In force: its own, else the company's default." })
  readonly paymentTermType!: PaymentTermType;
  @ApiProperty({ type: 'integer', description: "In force: its own, else the company's default." })
  readonly paymentTermDays!: number;
  @ApiProperty({ type: 'integer' })
  readonly companyId!: number;
  @ApiProperty({ type: AddressBody, nullable: true })
  readonly address!: AddressBody | null;
  @ApiProperty({ type: LogoFileBody, nullable: true })
  readonly logoFile!: LogoFileBody | null;
  @ApiProperty({ type: [ContactBody] })
  readonly contacts!: readonly ContactBody[];
}
