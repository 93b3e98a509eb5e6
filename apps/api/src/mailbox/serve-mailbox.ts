import { type Config, isLoopback } from '@counterfoil/config';
import { Mailbox, type StoredMail } from '@counterfoil/mail';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { Addresses } from '../docs/page-frame';
import { AppError } from '@counterfoil/kernel';
import { idIn } from '../http/path-id';
import { isLocal } from '../http/request-head';
import { PUBLIC } from '../http/route.decorators';
import { MAILBOX_HEADERS, mailboxPage, mailPage } from './mailbox-pages';

interface MailParams {
  readonly Params: { readonly id: string };
}

/**
 * Shows the mails that are stored instead of sent. Without a key, because the pages are for a browser: therefore only if
 * nobody else reaches this machine's API.
 */
export function serveMailbox(app: NestFastifyApplication, config: Config): void {
  const { mail, loopbackOnly, dataDir, publicUrl } = config;
  if (mail.server !== 'mailbox' || !loopbackOnly) return;
  const server: FastifyInstance = app.getHttpAdapter().getInstance();
  const addresses = new Addresses(publicUrl);
  const mailbox = new Mailbox(dataDir);
  const onRequest = refuseOthers;
  const options = { onRequest, config: { access: PUBLIC, headers: MAILBOX_HEADERS } } as const;
  server.get('/mailbox', options, async () => mailboxPage(addresses, await mailbox.newest()));
  server.get<MailParams>('/mailbox/:id', options, async (request) =>
    mailPage(addresses, found(await mailbox.find(idOf(request)))),
  );
  server.get<MailParams>(
    '/mailbox/:id/message.eml',
    { onRequest, config: { access: PUBLIC } },
    async (request, reply) =>
      reply
        .header('content-type', 'message/rfc822')
        .header('content-disposition', 'attachment; filename="message.eml"')
        .send(found(await mailbox.content(idOf(request)))),
  );
}

/**
 * A proxy on this machine would show the pages to everybody, and so would a page of another site whose name leads to
 * this machine.
 */
function refuseOthers(request: FastifyRequest, _reply: FastifyReply, done: (error?: Error) => void): void {
  const isOurs = isLocal(request) && isLoopback(request.hostname) && request.headers.origin === undefined;
  done(
    isOurs ? undefined : new AppError('NOT_FOUND', 'the mailbox is shown to browsers on this machine only'),
  );
}

const idOf = ({ params }: FastifyRequest<MailParams>): number => idIn(params.id) ?? 0;

function found<T extends StoredMail | Buffer>(mail: T | null): T {
  if (mail === null) throw new AppError('NOT_FOUND', 'no such mail');
  return mail;
}
