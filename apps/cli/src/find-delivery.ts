import { type Counterfoil, type DeliveryWithEventBody, isCounterfoilError } from '@counterfoil/sdk';
import { CommandError, EXIT } from './failure';

export interface FoundDelivery extends DeliveryWithEventBody {
  readonly endpointId: string;
}

/** Finds a delivery by its id. The API knows it by its endpoint, so all endpoints are tried unless one is named. */
export async function findDelivery(
  { webhooks }: Counterfoil,
  id: number,
  { endpoint, signal }: { endpoint: string | undefined; signal: AbortSignal },
): Promise<FoundDelivery> {
  const endpoints =
    endpoint === undefined ? await webhooks.list({}, { signal }).toArray() : [{ id: endpoint }];
  for (const { id: endpointId } of endpoints) {
    try {
      return { endpointId, ...(await webhooks.deliveries.get(endpointId, id, { signal })) };
    } catch (error) {
      if (!isCounterfoilError(error, 'NOT_FOUND')) throw error;
    }
  }
  throw new CommandError(EXIT.refused, `there is no delivery ${id}`);
}
