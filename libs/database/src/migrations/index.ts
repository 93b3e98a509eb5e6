import { Epochs1795485600000 } from './1795485600000-epochs';

export const DATABASE_MIGRATIONS = [Epochs1795485600000];
