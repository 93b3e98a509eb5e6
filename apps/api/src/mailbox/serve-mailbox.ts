import type { Config } from '@counterfoil/config';
import { Mailbox, type StoredMail } from '@counterfoil/mail';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { Addresses } from '../docs/page-frame';
import { AppError } from '@counterfoil/kernel';
import { idIn } from '../http/path-id';
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
  const options = { config: { access: PUBLIC, headers: MAILBOX_HEADERS } } as const;
  server.get('/mailbox', options, async () => mailboxPage(addresses, await mailbox.newest()));
  server.get('/mailbox/:id', options, async (request: FastifyRequest<MailParams>) =>
    mailPage(addresses, found(await mailbox.find(idOf(request)))),
  );
  server.get(
    '/mailbox/:id/message.eml',
    { config: { access: PUBLIC } },
    async (request: FastifyRequest<MailParams>, reply: FastifyReply) =>
      reply
        .header('content-type', 'message/rfc822')
        .header('content-disposition', 'attachment; filename="message.eml"')
        .send(found(await mailbox.content(idOf(request)))),
  );
}

const idOf = ({ params }: FastifyRequest<MailParams>): number => idIn(params.id) ?? 0;

function found<T extends StoredMail | Buffer>(mail: T | null): T {
  if (mail === null) throw new AppError('NOT_FOUND', 'no such mail');
  return mail;
}
