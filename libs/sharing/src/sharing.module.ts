import { DocumentsModule } from '@counterfoil/documents';
import { IdempotencyModule } from '@counterfoil/idempotency';
import { PaymentsModule } from '@counterfoil/payments';
import { HandOverModule } from '@counterfoil/renditions';
import { Module } from '@nestjs/common';
import { PostgresShares } from './adapters/postgres/postgres-shares';
import { CreateShare } from './application/create-share';
import { ListShares } from './application/list-shares';
import { OpenShare } from './application/open-share';
import { Shares } from './application/ports/shares';
import { RecordView } from './application/record-view';
import { RevokeShare } from './application/revoke-share';
import { ShareLinks } from './application/share-links';

const USE_CASES = [CreateShare, ListShares, OpenShare, RecordView, RevokeShare];

/** Links that open a document to whoever has them; used by the API. */
@Module({
  imports: [DocumentsModule, HandOverModule, IdempotencyModule, PaymentsModule],
  providers: [...USE_CASES, ShareLinks, { provide: Shares, useClass: PostgresShares }],
  exports: [...USE_CASES, ShareLinks],
})
export class SharingModule {}
