import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { PartySchema } from './adapters/postgres/entity.schema';
import { PostgresEntityDirectory } from './adapters/postgres/postgres-entity-directory';
import { PostgresEntityRepository } from './adapters/postgres/postgres-entity.repository';
import { CreateClient } from './application/create-client';
import { EntityDirectory } from './application/ports/entity-directory';
import { EntityRepository } from './application/ports/entity.repository';

@Module({
  imports: [TypeOrmModule.forFeature([PartySchema])],
  providers: [
    CreateClient,
    { provide: EntityRepository, useClass: PostgresEntityRepository },
    { provide: EntityDirectory, useClass: PostgresEntityDirectory },
  ],
  exports: [CreateClient, EntityDirectory],
})
export class PartiesModule {}
