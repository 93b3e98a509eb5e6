import type { ReactNode } from 'react';

interface SectionProps {
  readonly title: string;
  /** Buttons beside the title. */
  readonly actions?: ReactNode;
  readonly children: ReactNode;
}

/** A part of a record. */
export function Section({ title, actions, children }: SectionProps) {
  return (
    <section className="card part">
      <header>
        <h2>{title}</h2>
        {actions !== undefined && <div className="actions">{actions}</div>}
      </header>
      {children}
    </section>
  );
}

export interface FactOf {
  readonly name: string;
  /** Texts of the service are isolated, so that their direction changes nothing around them. */
  readonly value: ReactNode;
}

/** Names and values of a record. */
export function Facts({ facts }: { readonly facts: readonly (FactOf | false | null)[] }) {
  return (
    <dl className="facts">
      {facts.map(
        (fact, index) =>
          fact && (
            <div key={index} className="fact">
              <dt>{fact.name}</dt>
              <dd>
                <bdi>{fact.value === null || fact.value === '' ? '—' : fact.value}</bdi>
              </dd>
            </div>
          ),
      )}
    </dl>
  );
}
