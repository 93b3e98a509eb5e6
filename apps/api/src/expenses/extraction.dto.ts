import { RawQueryField } from '../http/query-fields';

export class ExtractFromUrlQuery {
  @RawQueryField({ description: 'Required: where the document is, http or https.' })
  readonly url?: unknown;

  @RawQueryField({
    description: 'Its extension tells how the document is read; file.pdf when left out.',
  })
  readonly filename?: unknown;
}
