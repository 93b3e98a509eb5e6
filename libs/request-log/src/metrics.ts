import { Counter } from 'prom-client';

export const requestLogDroppedTotal = new Counter({
  name: 'counterfoil_request_log_dropped_total',
  help: 'Answered requests that are missing in the request log, because they could not be written in time',
});
