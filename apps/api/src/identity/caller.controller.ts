import { SessionRepository } from '@counterfoil/identity';
import { AppError, type Caller, permissionsOf } from '@counterfoil/kernel';
import { Controller, Get } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { CallerOf, Requires } from '../http/route.decorators';
import { CallerBody } from './sessions.schemas';

@ApiTags('Sessions')
@Controller('caller')
export class CallerController {
  constructor(private readonly sessions: SessionRepository) {}

  @Get()
  @Requires('read')
  @ApiOperation({
    operationId: 'caller.get',
    summary: 'Get the caller',
    description: 'The company, the user and the permissions of the API key or the session of this call.',
  })
  @ApiOkResponse({ type: CallerBody })
  async read(@CallerOf() caller: Caller): Promise<CallerBody> {
    const signedIn = await this.sessions.signedIn(caller);
    if (!signedIn) throw new AppError('NOT_FOUND', 'the API key was removed');
    const { role } = caller;
    return { ...signedIn, role, permissions: permissionsOf(role) };
  }
}
