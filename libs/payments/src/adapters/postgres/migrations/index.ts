import { Payments1795453200000 } from './1795453200000-payments';
import { ChargeKeys1795500000000 } from './1795500000000-charge-keys';

export const PAYMENTS_MIGRATIONS = [Payments1795453200000, ChargeKeys1795500000000];
