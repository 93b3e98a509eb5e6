import { SERIAL_LENGTH_MAX, SERIALS_MAX } from '@counterfoil/catalog';
import { BooleanField, TextField, TextListField, UnitPriceField } from '../http/fields';
import { BooleanQueryField, SearchField } from '../http/query-fields';

const NAME_MAX = 200;
const SKU_MAX = 100;
const UNIT_MAX = 50;

export class CreateProductBody {
  @TextField({ presence: 'required', max: NAME_MAX, example: 'Copier paper A4' })
  readonly name!: string;

  @TextField({ presence: 'required', max: SKU_MAX, description: 'Not unique.', example: 'PAPER-A4' })
  readonly sku!: string;

  @TextField({ presence: 'optional', max: SKU_MAX, mayBeEmpty: true })
  readonly manufacturerSku?: string | null;

  @TextField({ presence: 'optional', max: UNIT_MAX, mayBeEmpty: true, example: 'box' })
  readonly unit?: string | null;

  @UnitPriceField({ presence: 'optional', description: 'Of one unit, when it is bought.' })
  readonly buyingPrice?: number | null;

  @UnitPriceField({ presence: 'optional', description: 'Of one unit, when it is sold.' })
  readonly sellingPrice?: number | null;

  @BooleanField({ presence: 'optional', description: 'true when left out.' })
  readonly isActive?: boolean | null;

  @TextListField({
    presence: 'optional',
    maxItems: SERIALS_MAX,
    max: SERIAL_LENGTH_MAX,
    description: 'Serial numbers, each once.',
  })
  readonly serials?: string[] | null;
}

export class EditProductBody {
  @TextField({ presence: 'edit', max: NAME_MAX })
  readonly name?: string;

  @TextField({ presence: 'edit', max: SKU_MAX })
  readonly sku?: string;

  @TextField({ presence: 'clearable', max: SKU_MAX, description: 'null and an empty text clear it.' })
  readonly manufacturerSku?: string | null;

  @TextField({ presence: 'clearable', max: UNIT_MAX, description: 'null and an empty text clear it.' })
  readonly unit?: string | null;

  @UnitPriceField({ presence: 'clearable', description: 'null clears it.' })
  readonly buyingPrice?: number | null;

  @UnitPriceField({ presence: 'clearable', description: 'null clears it.' })
  readonly sellingPrice?: number | null;

  @BooleanField({ presence: 'edit' })
  readonly isActive?: boolean;

  @TextListField({
    presence: 'edit',
    maxItems: SERIALS_MAX,
    max: SERIAL_LENGTH_MAX,
    description: 'All its serial numbers from now on, each once; those that stay keep their ids.',
  })
  readonly serials?: string[];
}

export class ListProductsQuery {
  @SearchField({ description: "Part of the name, the SKU or the manufacturer's SKU." })
  readonly search?: string;

  @BooleanQueryField({ description: 'Only those that are, or are not, in use.' })
  readonly isActive?: boolean;
}
