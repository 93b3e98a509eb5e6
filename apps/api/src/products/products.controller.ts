import {
  CreateProduct,
  EditProduct,
  PRODUCT_SORTS,
  type ProductKey,
  ProductReader,
  type ProductSort,
} from '@counterfoil/catalog';
import { AppError, type Caller } from '@counterfoil/kernel';
import { type Page, type PageRequest, unpagedList } from '@counterfoil/pagination';
import { Body, Controller, Get, Param, Post, Put, Query } from '@nestjs/common';
import {
  ApiCreatedResponse,
  ApiOkResponse,
  ApiOperation,
  ApiParam,
  ApiTags,
  getSchemaPath,
} from '@nestjs/swagger';
import { ApiPageOf } from '../http/answers';
import { definedFields } from '../http/defined-fields';
import { ApiStoredResponse, type Call, CallOf, createOnce, Idempotent } from '../http/idempotency';
import { isUuid, numericId, visibleIdOr404 } from '../http/path-id';
import { ApiPaginated, ApiSorted, PageQuery, SortQuery } from '../http/query-fields';
import { CallerOf, Requires } from '../http/route.decorators';
import { UNPAGED } from '../http/unpaged-list';
import {
  CreatedProductBody,
  CreateProductBody,
  EditedProductBody,
  EditProductBody,
  ListProductsQuery,
  presentCreatedProduct,
  presentProduct,
  presentProductList,
  presentProductSerial,
  ProductBody,
  ProductSerialBody,
  toCreateProductInput,
} from './products.schemas';

@ApiTags('Products')
@Controller('products')
export class ProductsController {
  constructor(
    private readonly reader: ProductReader,
    private readonly createProduct: CreateProduct,
    private readonly editProduct: EditProduct,
  ) {}

  @Post('create')
  @Requires('write')
  @Idempotent('products.create')
  @ApiOperation({ summary: 'Create a product' })
  @ApiCreatedResponse({ type: CreatedProductBody })
  @ApiStoredResponse({ type: CreatedProductBody })
  async create(
    @CallOf() { caller, key }: Call,
    @Body() body: CreateProductBody,
  ): Promise<CreatedProductBody> {
    return createOnce(key, presentCreatedProduct, (call) =>
      this.createProduct.execute(caller, toCreateProductInput(body), call),
    );
  }

  @Put('edit/:visibleId')
  @Requires('write')
  @ApiOperation({ summary: 'Change a product; what is left out stays' })
  @ApiParam({ name: 'visibleId', schema: { type: 'string', format: 'uuid' } })
  @ApiOkResponse({ type: EditedProductBody })
  async edit(
    @CallerOf() caller: Caller,
    @Param('visibleId') text: string,
    @Body() body: EditProductBody,
  ): Promise<EditedProductBody> {
    const visibleId = visibleIdOr404(text, 'product');
    await this.editProduct.execute(caller, visibleId, definedFields(body));
    return { success: true, visibleId };
  }

  @Get()
  @Requires('read')
  @ApiOperation({ summary: 'List products' })
  @ApiPaginated()
  @ApiSorted(PRODUCT_SORTS)
  @ApiPageOf(ProductBody, {
    products: {
      type: 'array',
      items: { $ref: getSchemaPath(ProductBody) },
      description: 'Legacy: the same as data.',
    },
    totalCount: { type: 'integer', description: 'Legacy: the same as pagination.total.' },
  })
  async list(
    @CallerOf() caller: Caller,
    @Query() filter: ListProductsQuery,
    @SortQuery(PRODUCT_SORTS) sort: ProductSort,
    @PageQuery() page: PageRequest,
  ) {
    return presentProductList(await this.reader.list(caller.companyId, filter, sort, page));
  }

  @Get('id/:id')
  @Requires('read')
  @ApiOperation({ summary: 'Read a product by its numeric or its public id' })
  @ApiParam({ name: 'id', schema: { type: 'string' } })
  @ApiOkResponse({ type: ProductBody })
  async read(@CallerOf() caller: Caller, @Param('id') text: string): Promise<ProductBody> {
    return presentProduct(found(await this.reader.find(caller.companyId, keyOf(text))));
  }

  @Get('id/:id/serials')
  @Requires('read')
  @ApiOperation({ summary: "All of a product's serial numbers", description: UNPAGED })
  @ApiParam({ name: 'id', schema: { type: 'string' } })
  @ApiPageOf(ProductSerialBody)
  async serials(@CallerOf() caller: Caller, @Param('id') text: string): Promise<Page<ProductSerialBody>> {
    const serials = found(await this.reader.listSerials(caller.companyId, keyOf(text)));
    return unpagedList(serials.map(presentProductSerial));
  }
}

function keyOf(text: string): ProductKey {
  return isUuid(text) ? { visibleId: text } : { id: numericId(text) };
}

function found<T>(product: T | null): T {
  if (product === null) throw new AppError('NOT_FOUND', 'no such product');
  return product;
}
