import { ShareLinks } from '@counterfoil/sharing';
import { type CallHandler, type ExecutionContext, Injectable, type NestInterceptor } from '@nestjs/common';
import { map, type Observable } from 'rxjs';
import type { AuthenticatedRequest } from '../http/route.decorators';
import type { CreatedShareBody } from './document-shares.schemas';

/** Completes the answer to a new link, and to a repeated call, which is the stored text of the first answer. */
@Injectable()
export class InsertShareUrl implements NestInterceptor<CreatedShareBody | string> {
  constructor(private readonly links: ShareLinks) {}

  intercept(
    context: ExecutionContext,
    next: CallHandler<CreatedShareBody | string>,
  ): Observable<CreatedShareBody | string> {
    const { caller } = context.switchToHttp().getRequest<AuthenticatedRequest>();
    if (!caller) throw new Error('the route is public');
    const completed = (body: CreatedShareBody) => {
      const url = this.links.urlOf({ companyId: caller.companyId, publicId: body.url });
      return { ...body, url };
    };
    return next
      .handle()
      .pipe(
        map((answer) =>
          typeof answer === 'string'
            ? JSON.stringify(completed(JSON.parse(answer) as CreatedShareBody))
            : completed(answer),
        ),
      );
  }
}
