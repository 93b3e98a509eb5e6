import { EditCompany, IdentityReader } from '@counterfoil/identity';
import { AppError, type Caller } from '@counterfoil/kernel';
import { Body, Controller, Get, Put } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { SUCCESS, SuccessBody } from '../http/answers';
import { definedFields } from '../http/defined-fields';
import { CallerOf, Requires } from '../http/route.decorators';
import { CompanyBody, EditCompanyBody } from './company.schemas';

@ApiTags('Company')
@Controller('company')
export class CompanyController {
  constructor(
    private readonly reader: IdentityReader,
    private readonly editCompany: EditCompany,
  ) {}

  @Get()
  @Requires('read')
  @ApiOperation({ summary: "Read the company's settings" })
  @ApiOkResponse({ type: CompanyBody })
  async read(@CallerOf() caller: Caller): Promise<CompanyBody> {
    const company = await this.reader.company(caller.companyId);
    if (!company) throw new AppError('NOT_FOUND', 'no such company');
    return company;
  }

  @Put()
  @Requires('administer')
  @ApiOperation({ summary: "Change the company's settings; what is left out stays" })
  @ApiOkResponse({ type: SuccessBody })
  async edit(@CallerOf() caller: Caller, @Body() body: EditCompanyBody): Promise<SuccessBody> {
    await this.editCompany.execute(caller, definedFields(body));
    return SUCCESS;
  }
}
