import {
  CreateExpense,
  DeleteExpense,
  EditExpense,
  EXPENSE_SORTS,
  type ExpenseList,
  ExpenseReader,
  type ExpenseRow,
  type ListedSupplierInvoice,
} from '@counterfoil/expenses';
import { FileLinks, type LinkedFile } from '@counterfoil/files';
import type { Caller } from '@counterfoil/kernel';
import type { PageRequest } from '@counterfoil/pagination';
import { Body, Controller, Delete, Get, Param, Post, Put, Query } from '@nestjs/common';
import {
  ApiCreatedResponse,
  ApiExtraModels,
  ApiOkResponse,
  ApiOperation,
  ApiParam,
  ApiTags,
  getSchemaPath,
} from '@nestjs/swagger';
import { ApiPageOf, SUCCESS, SuccessBody } from '../http/answers';
import { definedFields } from '../http/defined-fields';
import { ApiErrors } from '../http/error-body';
import { ApiStoredResponse, type Call, CallOf, createOnce, Idempotent } from '../http/idempotency';
import { numericId } from '../http/path-id';
import { ApiPaginated, ApiSorted, PageQuery, SortQuery } from '../http/query-fields';
import { CallerOf, Requires } from '../http/route.decorators';
import {
  CreateExpenseBody,
  EditExpenseBody,
  ExpenseIdBody,
  ExpenseRowBody,
  ListExpensesQuery,
  presentExpense,
  presentRecordedExpense,
  presentListedSupplierInvoice,
  SupplierInvoiceCostBody,
  toCreateExpenseInput,
  toEditExpenseInput,
  toListInput,
} from './expenses.schemas';

type OwnSort = (ExpenseList & { readonly withSupplierInvoices: false })['sort'];

@ApiTags('Expenses')
@Controller('expenses')
export class ExpensesController {
  constructor(
    private readonly reader: ExpenseReader,
    private readonly links: FileLinks,
    private readonly createExpense: CreateExpense,
    private readonly editExpense: EditExpense,
    private readonly deleteExpense: DeleteExpense,
  ) {}

  @Get()
  @Requires('read')
  @ApiOperation({
    operationId: 'expenses.list',
    summary: 'List expenses',
    description:
      'The newest date first. With `include=all`, supplier invoices are among them, and only date, title and total sort; anything else counts as date.',
  })
  @ApiPaginated()
  @ApiSorted(EXPENSE_SORTS, 'desc')
  @ApiPageOf([ExpenseRowBody, SupplierInvoiceCostBody])
  async list(
    @CallerOf() { companyId }: Caller,
    @Query() query: ListExpensesQuery,
    @SortQuery(EXPENSE_SORTS, 'desc') sort: OwnSort,
    @PageQuery() page: PageRequest,
  ) {
    const { data, pagination } = await this.reader.list(companyId, toListInput(query, sort), page);
    return { data: data.map((row) => this.row(row)), pagination };
  }

  @Get('id/:id')
  @Requires('read')
  @ApiOperation({
    operationId: 'expenses.get',
    summary: 'Get an expense',
    description: 'Reads an expense by its numeric id. The answer is null if there is none.',
  })
  @ApiParam({ name: 'id', schema: { type: 'integer' } })
  @ApiExtraModels(ExpenseRowBody)
  @ApiOkResponse({ schema: { anyOf: [{ $ref: getSchemaPath(ExpenseRowBody) }, { type: 'null' }] } })
  async read(@CallerOf() { companyId }: Caller, @Param('id') text: string): Promise<ExpenseRowBody | null> {
    const found = await this.reader.find(companyId, numericId(text));
    return found && presentExpense(found, this.links.urlOf(receiptOf(found)));
  }

  @Post('create')
  @Requires('write')
  @Idempotent('expenses.create')
  @ApiErrors('UNKNOWN_REFERENCE')
  @ApiOperation({
    operationId: 'expenses.create',
    summary: 'Create an expense',
    description:
      'Records an expense with its receipt. A total in another currency is converted to shekels by the rate of its date.',
  })
  @ApiCreatedResponse({ type: ExpenseIdBody })
  @ApiStoredResponse({ type: ExpenseIdBody })
  async create(@CallOf() { caller, key }: Call, @Body() body: CreateExpenseBody): Promise<ExpenseIdBody> {
    return createOnce(key, presentRecordedExpense, (call) =>
      this.createExpense.execute(caller, toCreateExpenseInput(body), call),
    );
  }

  @Put('edit/:id')
  @Requires('write')
  @ApiErrors('UNKNOWN_REFERENCE')
  @ApiOperation({
    operationId: 'expenses.edit',
    summary: 'Edit an expense',
    description: 'A field that is left out stays as it is.',
  })
  @ApiParam({ name: 'id', schema: { type: 'integer' } })
  @ApiOkResponse({ type: ExpenseIdBody })
  async edit(
    @CallerOf() caller: Caller,
    @Param('id') text: string,
    @Body() body: EditExpenseBody,
  ): Promise<ExpenseIdBody> {
    const id = numericId(text);
    const vendorField = body.vendorId === undefined ? 'entityId' : 'vendorId';
    const changes = toEditExpenseInput(definedFields(body));
    const possibleDuplicateOf = await this.editExpense.execute(caller, id, changes, vendorField);
    return presentRecordedExpense({ id, possibleDuplicateOf });
  }

  @Delete('delete/:id')
  @Requires('write')
  @ApiOperation({
    operationId: 'expenses.delete',
    summary: 'Delete an expense',
    description: 'Its receipt stays.',
  })
  @ApiParam({ name: 'id', schema: { type: 'integer' } })
  @ApiOkResponse({ type: SuccessBody })
  async remove(@CallerOf() caller: Caller, @Param('id') text: string): Promise<SuccessBody> {
    await this.deleteExpense.execute(caller, numericId(text));
    return SUCCESS;
  }

  private row(row: ExpenseRow | ListedSupplierInvoice) {
    if (row.source === 'SUPPLIER_INVOICE') return presentListedSupplierInvoice(row);
    return presentExpense(row, this.links.urlOf(receiptOf(row)));
  }
}

const receiptOf = ({ fileId, fileSha256 }: ExpenseRow): LinkedFile => ({ id: fileId, sha256: fileSha256 });
