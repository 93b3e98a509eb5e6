import {
  type CreateProductInput,
  type Product,
  PRODUCT_FILTERS,
  type ProductIds,
  type ProductSerial,
  SERIAL_LENGTH_MAX,
  SERIALS_MAX,
} from '@counterfoil/catalog';
import type { Page } from '@counterfoil/pagination';
import {
  BooleanProperty,
  IntegerProperty,
  NumberProperty,
  SuccessBody,
  TextProperty,
  TimeProperty,
  UuidProperty,
} from '../http/answers';
import { BooleanField, TextField, TextListField, UnitPriceField } from '../http/fields';
import { ListFilters } from '../http/query-fields';

const NAME_MAX = 200;
const SKU_MAX = 100;
const UNIT_MAX = 50;

export class CreateProductBody {
  @TextField({ presence: 'required', max: NAME_MAX, example: 'Copier paper A4' }) readonly name!: string;
  @TextField({ presence: 'required', max: SKU_MAX, description: 'Not unique.', example: 'PAPER-A4' })
  readonly sku!: string;
  @TextField({ presence: 'optional', max: SKU_MAX })
  readonly manufacturerSku?: string | null;
  @TextField({ presence: 'optional', max: UNIT_MAX, example: 'box' })
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
  @TextField({ presence: 'edit', max: NAME_MAX }) readonly name?: string;
  @TextField({ presence: 'edit', max: SKU_MAX }) readonly sku?: string;
  @TextField({ presence: 'clearable', max: SKU_MAX, description: 'null and an empty text clear it.' })
  readonly manufacturerSku?: string | null;
  @TextField({ presence: 'clearable', max: UNIT_MAX, description: 'null and an empty text clear it.' })
  readonly unit?: string | null;
  @UnitPriceField({ presence: 'clearable', description: 'null clears it.' })
  readonly buyingPrice?: number | null;
  @UnitPriceField({ presence: 'clearable', description: 'null clears it.' })
  readonly sellingPrice?: number | null;
  @BooleanField({ presence: 'edit' }) readonly isActive?: boolean;
  @TextListField({
    presence: 'edit',
    maxItems: SERIALS_MAX,
    max: SERIAL_LENGTH_MAX,
    description: 'All its serial numbers from now on, each once; those that stay keep their ids.',
  })
  readonly serials?: string[];
}

export class ListProductsQuery extends ListFilters(PRODUCT_FILTERS) {}

export class CreatedProductBody extends SuccessBody {
  @IntegerProperty() readonly productId!: number;
  @UuidProperty() readonly visibleId!: string;
}

export class EditedProductBody extends SuccessBody {
  @UuidProperty() readonly visibleId!: string;
}

/** A row of the list and the single record are the same. */
export class ProductBody {
  @IntegerProperty({ description: "The numeric id, which documents' items name as productId." })
  readonly id!: number;
  @UuidProperty() readonly visibleId!: string;
  @IntegerProperty() readonly companyId!: number;
  @TextProperty() readonly name!: string;
  @TextProperty() readonly sku!: string;
  @TextProperty({ nullable: true }) readonly manufacturerSku!: string | null;
  @TextProperty({ nullable: true }) readonly unit!: string | null;
  @NumberProperty({ nullable: true }) readonly buyingPrice!: number | null;
  @NumberProperty({ nullable: true }) readonly sellingPrice!: number | null;
  @BooleanProperty() readonly isActive!: boolean;
  @TimeProperty() readonly createdAt!: string;
  @TimeProperty() readonly updatedAt!: string;
}

export class ProductSerialBody {
  @IntegerProperty() readonly id!: number;
  @IntegerProperty() readonly productId!: number;
  @TextProperty() readonly serialNumber!: string;
  @TimeProperty() readonly createdAt!: string;
}

/** Fills in the defaults. An empty optional text counts as left out. */
export function toCreateProductInput(body: CreateProductBody): CreateProductInput {
  return {
    name: body.name,
    sku: body.sku,
    manufacturerSku: body.manufacturerSku ?? null,
    unit: body.unit ?? null,
    buyingPrice: body.buyingPrice ?? null,
    sellingPrice: body.sellingPrice ?? null,
    isActive: body.isActive ?? true,
    serials: body.serials ?? [],
  };
}

export function presentProduct({ createdAt, updatedAt, ...product }: Product): ProductBody {
  return { ...product, createdAt: createdAt.toISOString(), updatedAt: updatedAt.toISOString() };
}

/** The answer has legacy keys in addition to the common ones (contract §2.5). */
export function presentProductList({ data, pagination }: Page<Product>) {
  const rows = data.map(presentProduct);
  return { data: rows, pagination, products: rows, totalCount: pagination.total };
}

export function presentProductSerial({ createdAt, ...serial }: ProductSerial): ProductSerialBody {
  return { ...serial, createdAt: createdAt.toISOString() };
}

export function presentCreatedProduct({ id, visibleId }: ProductIds): CreatedProductBody {
  return { success: true, productId: id, visibleId };
}
