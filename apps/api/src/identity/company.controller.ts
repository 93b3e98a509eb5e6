import { EditCompany, IdentityReader } from '@counterfoil/identity';
import { AppError, type Caller } from '@counterfoil/kernel';
import { Body, Controller, Get, Put } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { SUCCESS, SuccessBody } from '../http/answers';
import { CallerOf, Requires } from '../http/route.decorators';
import { CompanyBody, EditCompanyBody, toCompanyChanges } from './company.schemas';

@ApiTags('Company')
@Controller('company')
export class CompanyController {
  constructor(
    private readonly reader: IdentityReader,
    private readonly editCompany: EditCompany,
  ) {}

  @Get()
  @Requires('read')
  @ApiOperation({
    operationId: 'company.get',
    summary: 'Get the company',
    description: 'The settings of the company that the key belongs to.',
  })
  @ApiOkResponse({ type: CompanyBody })
  async read(@CallerOf() caller: Caller): Promise<CompanyBody> {
    const company = await this.reader.company(caller.companyId);
    if (!company) throw new AppError('NOT_FOUND', 'no such company');
    return company;
  }

  @Put()
  @Requires('administer')
  @ApiOperation({
    operationId: 'company.edit',
    summary: 'Edit the company',
    description: 'A field that is left out stays as it is.',
  })
  @ApiOkResponse({ type: SuccessBody })
  async edit(@CallerOf() caller: Caller, @Body() body: EditCompanyBody): Promise<SuccessBody> {
    await this.editCompany.execute(caller, toCompanyChanges(body));
    return SUCCESS;
  }
}
