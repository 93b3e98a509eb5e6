import { CreateCustomField, DefinitionReader } from '@counterfoil/definitions';
import type { Caller } from '@counterfoil/kernel';
import { Body, Controller, Get, Post, Res } from '@nestjs/common';
import { ApiCreatedResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import { ApiPageOf } from '../http/answers';
import { CallerOf } from '../http/caller.decorator';
import { Requires } from '../http/requires.decorator';
import { WHOLE_SET, wholeSetAnswer } from '../http/whole-set';
import { CreatedCustomFieldBody, CustomFieldBody } from './definitions.answers';
import { CreateCustomFieldBody } from './definitions.dto';
import { customFieldRow } from './definitions.presenter';

@ApiTags('Definitions')
@Controller('custom-fields')
export class CustomFieldsController {
  constructor(
    private readonly reader: DefinitionReader,
    private readonly createCustomField: CreateCustomField,
  ) {}

  @Get()
  @Requires('read')
  @ApiOperation({ summary: 'All custom fields, oldest first', description: WHOLE_SET })
  @ApiPageOf(CustomFieldBody)
  list(@CallerOf() caller: Caller, @Res({ passthrough: true }) reply: FastifyReply) {
    return wholeSetAnswer(this.reader.customFields(caller.companyId), customFieldRow, reply);
  }

  @Post()
  @Requires('write')
  @ApiOperation({ summary: 'Define a custom field' })
  @ApiCreatedResponse({ type: CreatedCustomFieldBody })
  async create(
    @CallerOf() caller: Caller,
    @Body() { name, appliesTo, fieldType }: CreateCustomFieldBody,
  ): Promise<CreatedCustomFieldBody> {
    const customFieldId = await this.createCustomField.execute(caller, { name, appliesTo, fieldType });
    return { success: true, customFieldId };
  }
}
