import { Payments1795453200000 } from './1795453200000-payments';
import { ChargeKeys1795500000000 } from './1795500000000-charge-keys';
import { ProviderRequestNames1795521600000 } from './1795521600000-provider-request-names';

export const PAYMENTS_MIGRATIONS = [
  Payments1795453200000,
  ChargeKeys1795500000000,
  ProviderRequestNames1795521600000,
];
