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
import { ApiPageOf, ApiWholeListOf } from '../http/answers';
import { definedFields } from '../http/defined-fields';
import { ApiStoredResponse, type Call, CallOf, createOnce, Idempotent } from '../http/idempotency';
import { isUuid, numericId, VISIBLE_ID, visibleIdOr404 } from '../http/path-id';
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
  @ApiOperation({
    operationId: 'products.create',
    summary: 'Create a product',
    description: 'A product with its price, its SKU and its serial numbers.',
  })
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
  @ApiOperation({
    operationId: 'products.edit',
    summary: 'Edit a product',
    description: 'A field that is left out stays as it is.',
  })
  @ApiParam(VISIBLE_ID)
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
  @ApiOperation({
    operationId: 'products.list',
    summary: 'List products',
    description: 'The products of the company, filtered, searched and sorted.',
  })
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
  @ApiOperation({
    operationId: 'products.get',
    summary: 'Get a product',
    description: 'Reads a product by its numeric or its public id.',
  })
  @ApiParam({ name: 'id', schema: { type: 'string' } })
  @ApiOkResponse({ type: ProductBody })
  async read(@CallerOf() caller: Caller, @Param('id') text: string): Promise<ProductBody> {
    return presentProduct(found(await this.reader.find(caller.companyId, keyOf(text))));
  }

  @Get('id/:id/serials')
  @Requires('read')
  @ApiOperation({
    operationId: 'products.listSerials',
    summary: 'List serial numbers',
    description: `All serial numbers of a product. ${UNPAGED}`,
  })
  @ApiParam({ name: 'id', schema: { type: 'string' } })
  @ApiWholeListOf(ProductSerialBody)
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
