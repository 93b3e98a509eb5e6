export { CreateClient, type CreateClientInput } from './application/create-client';
export { EntityDirectory, type EntityEntry } from './application/ports/entity-directory';
export { type EntityIds } from './application/ports/entity.repository';
export { ENTITY_TYPES, type EntityDetails, type EntityType } from './domain/entity';
export { PartiesModule } from './parties.module';
