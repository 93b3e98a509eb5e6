import type { FieldProblem } from '@counterfoil/kernel';
import type { EventCatalogue } from '@counterfoil/outbox';
import { ALL_EVENTS, urlProblem } from '../domain/endpoint';

/**
 * Returns the validation problems of an endpoint's fields. `WebhookSender.assertAllowed` checks its address.
 */
export function endpointProblems(
  endpoint: { readonly url?: string; readonly events?: readonly string[] },
  catalogue: EventCatalogue,
): FieldProblem[] {
  const { url, events } = endpoint;
  return [
    ...(url === undefined ? [] : urlProblems(url)),
    ...(events ? eventProblems(events, catalogue) : []),
  ];
}

function urlProblems(url: string): FieldProblem[] {
  const problem = urlProblem(url);
  return problem === null ? [] : [{ field: 'url', problem }];
}

function eventProblems(events: readonly string[], catalogue: EventCatalogue): FieldProblem[] {
  if (events.length === 0) return [{ field: 'events', problem: 'must name at least one event type, or *' }];
  return events.flatMap((type, index) =>
    type === ALL_EVENTS || catalogue.has(type)
      ? []
      : [{ field: `events[${index}]`, problem: 'is not a known event type' }],
  );
}
