import { Config } from '@counterfoil/config';
import { CreateSession, EndSession, SessionRepository, sessionScopeOf } from '@counterfoil/identity';
import type { Caller } from '@counterfoil/kernel';
import type { Page, PageRequest } from '@counterfoil/pagination';
import { Controller, Delete, Get, Param, Post, Res } from '@nestjs/common';
import { ApiCreatedResponse, ApiOkResponse, ApiOperation, ApiParam, ApiTags } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import { ApiPageOf, SUCCESS, SuccessBody } from '../http/answers';
import { numericId } from '../http/path-id';
import { ApiPaginated, PageQuery } from '../http/query-fields';
import { CallerOf, Requires, routeConfig } from '../http/route.decorators';
import { assertSameOrigin, clearSessionCookie, setSessionCookie } from '../http/session-cookie';
import { CreatedSessionBody, ListedSessionBody, presentSession } from './sessions.schemas';

/** Signing in with a browser (contract §4.9). */
@ApiTags('Sessions')
@Controller('sessions')
@Requires('read')
export class SessionsController {
  constructor(
    private readonly config: Config,
    private readonly sessions: SessionRepository,
    private readonly createSession: CreateSession,
    private readonly endSession: EndSession,
  ) {}

  @Post()
  @ApiOperation({
    operationId: 'sessions.create',
    summary: 'Sign in',
    description:
      'Exchanges the API key of the call for a session of the browser. Its secret is a cookie that scripts cannot read. Only the pages of this service may sign in; programs send their key.',
  })
  @ApiCreatedResponse({ type: CreatedSessionBody })
  async create(
    @CallerOf() caller: Caller,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<CreatedSessionBody> {
    const { request } = reply;
    assertSameOrigin(request, this.config.publicUrl);
    const origin = { userAgent: request.headers['user-agent'] ?? null, address: request.ip };
    const session = await this.createSession.execute(caller, origin);
    setSessionCookie(reply, this.config.publicUrl, session);
    return { success: true, id: session.id, expiresAt: session.expiresAt };
  }

  @Get()
  @ApiOperation({
    operationId: 'sessions.list',
    summary: 'List sessions',
    description:
      'The sessions that have not ended: for an owner those of all keys of the company, for other roles those of the own key.',
  })
  @ApiPaginated()
  @ApiPageOf(ListedSessionBody)
  async list(@CallerOf() caller: Caller, @PageQuery() page: PageRequest): Promise<Page<ListedSessionBody>> {
    const listed = await this.sessions.list(sessionScopeOf(caller), page);
    return { ...listed, data: listed.data.map((session) => presentSession(session, caller)) };
  }

  @Delete(':id')
  @routeConfig({ endsSession: true })
  @ApiOperation({
    operationId: 'sessions.end',
    summary: 'End a session',
    description:
      'The next call in the session is refused. To sign out, end the current session: the browser forgets its cookie, too.',
  })
  @ApiParam({ name: 'id', schema: { type: 'integer' } })
  @ApiOkResponse({ type: SuccessBody })
  async end(
    @CallerOf() caller: Caller,
    @Param('id') id: string,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<SuccessBody> {
    const sessionId = numericId(id);
    await this.endSession.execute(caller, sessionId);
    if (sessionId === caller.sessionId) clearSessionCookie(reply, this.config.publicUrl, sessionId);
    return SUCCESS;
  }
}
