import { TOTAL_ROUNDINGS, type TotalRounding } from '@counterfoil/parties';
import { ApiProperty } from '@nestjs/swagger';
import { SuccessBody } from '../http/answers';
import { EntityRowBody } from '../parties/entity.answers';
import { CreateEntityBody, EditEntityBody } from '../parties/entity.dto';

/** A new client: as a vendor, less the buying side (decisions §4). */
export class CreateClientBody extends CreateEntityBody {}

/** A client's edit: as a vendor's, less the buying side. What is left out stays. */
export class EditClientBody extends EditEntityBody {}

export class CreatedClientBody extends SuccessBody {
  @ApiProperty({ type: 'integer', description: 'The numeric entity id, which documents name as entityId.' })
  readonly clientId!: number;
  @ApiProperty({ format: 'uuid' })
  readonly visibleId!: string;
}

export class ClientRowBody extends EntityRowBody {}

export class ClientBody extends ClientRowBody {
  @ApiProperty({ type: 'string', nullable: true, maxLength: 8 })
  readonly ledgerEntityAccountKey!: string | null;
  @ApiProperty({ type: 'number', nullable: true, description: "Percent. null: the company's rate." })
  readonly specialVat!: number | null;
  @ApiProperty({ type: 'number', nullable: true })
  readonly creditLimit!: number | null;
  @ApiProperty({ enum: TOTAL_ROUNDINGS })
  readonly roundDocumentTotal!: TotalRounding;
}
