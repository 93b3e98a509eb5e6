import type { Caller } from '@counterfoil/kernel';
import { DocumentReminders } from '@counterfoil/mail';
import { Body, Controller, Get, Param, Put } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiParam, ApiTags } from '@nestjs/swagger';
import { issuedKey } from '../documents/issued-key';
import { SUCCESS, SuccessBody } from '../http/answers';
import { CallerOf, Requires } from '../http/route.decorators';
import { EditRemindersBody, presentReminders, RemindersBody } from './reminders.schemas';

const ID = { name: 'id', schema: { type: 'string' } } as const;

/** Reminders of documents that are to be paid (contract §8.19). */
@ApiTags('Documents')
@Controller('documents/id/:id/reminders')
export class RemindersController {
  constructor(private readonly reminders: DocumentReminders) {}

  @Get()
  @Requires('read')
  @ApiOperation({
    operationId: 'documents.listReminders',
    summary: 'List reminders',
    description:
      'When the client was reminded to pay an issued document, and what became of the mails. `reminderDays` of the company says when clients are reminded. `id` is the public id or the numeric one.',
  })
  @ApiParam(ID)
  @ApiOkResponse({ type: RemindersBody })
  async list(@CallerOf() { companyId }: Caller, @Param('id') id: string): Promise<RemindersBody> {
    return presentReminders(await this.reminders.list(companyId, issuedKey(id)));
  }

  @Put()
  @Requires('write')
  @ApiOperation({
    operationId: 'documents.editReminders',
    summary: 'Turn reminders on or off',
    description:
      'A reminder that is queued already is not sent after they are turned off, unless the mail server has it.',
  })
  @ApiParam(ID)
  @ApiOkResponse({ type: SuccessBody })
  async edit(
    @CallerOf() caller: Caller,
    @Param('id') id: string,
    @Body() { enabled }: EditRemindersBody,
  ): Promise<SuccessBody> {
    await this.reminders.enable(caller, issuedKey(id), enabled);
    return SUCCESS;
  }
}
