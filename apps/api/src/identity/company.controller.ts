import { FileDirectory, FileLinks } from '@counterfoil/files';
import { IdentityReader } from '@counterfoil/identity';
import { AppError, type Caller } from '@counterfoil/kernel';
import { EditCompanyProfile } from '@counterfoil/renditions';
import { Body, Controller, Get, Put } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { SUCCESS, SuccessBody } from '../http/answers';
import { CallerOf, Requires } from '../http/route.decorators';
import { presentLogoFile } from '../parties/parties.schemas';
import { ApiErrors } from '../http/error-body';
import { CompanyBody, EditCompanyBody, toCompanyChanges } from './company.schemas';

@ApiTags('Company')
@Controller('company')
export class CompanyController {
  constructor(
    private readonly reader: IdentityReader,
    private readonly editCompany: EditCompanyProfile,
    private readonly files: FileDirectory,
    private readonly links: FileLinks,
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
    const { logoFileId, ...settings } = company;
    const logo = logoFileId === null ? null : await this.files.find(caller.companyId, logoFileId);
    return { ...settings, logoFile: presentLogoFile(logo, this.links) };
  }

  @Put()
  @Requires('administer')
  @ApiErrors('UNKNOWN_REFERENCE')
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
