import { CreateCustomField, DefinitionReader } from '@counterfoil/definitions';
import type { Caller } from '@counterfoil/kernel';
import { Body, Controller, Get, Post, Res } from '@nestjs/common';
import { ApiCreatedResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import { ApiWholeListOf } from '../http/answers';
import { ApiStoredResponse, type Call, CallOf, createOnce, Idempotent } from '../http/idempotency';
import { CallerOf, Requires } from '../http/route.decorators';
import { UNPAGED, answerUnpaged } from '../http/unpaged-list';
import {
  CreateCustomFieldBody,
  CreatedCustomFieldBody,
  CustomFieldBody,
  presentCreatedCustomField,
  presentCustomField,
} from './custom-fields.schemas';

@ApiTags('Definitions')
@Controller('custom-fields')
export class CustomFieldsController {
  constructor(
    private readonly reader: DefinitionReader,
    private readonly createCustomField: CreateCustomField,
  ) {}

  @Get()
  @Requires('read')
  @ApiOperation({
    operationId: 'customFields.list',
    summary: 'List custom fields',
    description: `Oldest first. ${UNPAGED}`,
  })
  @ApiWholeListOf(CustomFieldBody)
  list(@CallerOf() caller: Caller, @Res({ passthrough: true }) reply: FastifyReply) {
    return answerUnpaged(this.reader.customFields(caller.companyId), presentCustomField, reply);
  }

  @Post()
  @Requires('write')
  @Idempotent('custom-fields.create')
  @ApiOperation({
    operationId: 'customFields.create',
    summary: 'Create a custom field',
    description: 'Defines a field by its name, its type and the records that it is for.',
  })
  @ApiCreatedResponse({ type: CreatedCustomFieldBody })
  @ApiStoredResponse({ type: CreatedCustomFieldBody })
  async create(
    @CallOf() { caller, key }: Call,
    @Body() { name, appliesTo, fieldType }: CreateCustomFieldBody,
  ): Promise<CreatedCustomFieldBody> {
    return createOnce(key, presentCreatedCustomField, (call) =>
      this.createCustomField.execute(caller, { name, appliesTo, fieldType }, call),
    );
  }
}
