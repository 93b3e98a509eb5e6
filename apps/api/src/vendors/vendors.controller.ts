import type { Caller } from '@counterfoil/kernel';
import { Controller, Get, Param } from '@nestjs/common';
import {
  ApiExtraModels,
  ApiOkResponse,
  ApiOperation,
  ApiParam,
  ApiTags,
  getSchemaPath,
} from '@nestjs/swagger';
import { isUuid, VISIBLE_ID } from '../http/path-id';
import { CallerOf, Requires } from '../http/route.decorators';
import { partiesController } from '../parties/parties.controller';
import {
  CreatedVendorBody,
  CreateVendorBody,
  EditVendorBody,
  presentCreatedVendor,
  presentVendor,
  presentVendorRow,
  VendorBody,
  VendorRowBody,
} from './vendors.schemas';

@ApiTags('Vendors')
@Controller('vendors')
export class VendorsController extends partiesController({
  role: 'vendor',
  otherRole: 'client',
  createBody: CreateVendorBody,
  editBody: EditVendorBody,
  createdBody: CreatedVendorBody,
  rowBody: VendorRowBody,
  presentCreated: presentCreatedVendor,
  presentRow: presentVendorRow,
}) {
  @Get('id/:visibleId')
  @Requires('read')
  @ApiOperation({
    operationId: 'vendors.get',
    summary: 'Get a vendor',
    description: 'Reads a vendor by its public id. The answer is null if there is none.',
  })
  @ApiParam(VISIBLE_ID)
  @ApiExtraModels(VendorBody)
  @ApiOkResponse({ schema: { anyOf: [{ $ref: getSchemaPath(VendorBody) }, { type: 'null' }] } })
  async one(@CallerOf() caller: Caller, @Param('visibleId') visibleId: string): Promise<VendorBody | null> {
    if (!isUuid(visibleId)) return null;
    const vendor = await this.reader.find(caller.companyId, 'vendor', visibleId.toLowerCase());
    return vendor && presentVendor(vendor, this.links);
  }
}
