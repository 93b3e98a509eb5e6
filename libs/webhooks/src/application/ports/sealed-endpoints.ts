import { SealedRows } from '@counterfoil/secrets';

/** The encrypted secrets of an endpoint. */
export interface SealedEndpoint {
  readonly id: string;
  readonly secretSealed: string;
  /** The previous secrets, as JSON. */
  readonly formerSecrets: string;
}

/** The endpoints of all companies, for the re-encryption of their secrets. Removed endpoints are among them. */
export abstract class SealedEndpoints extends SealedRows<SealedEndpoint> {}
