/** Paths of 20 by 20, drawn with lines. */
const PATHS = {
  menu: 'M3 5h14M3 10h14M3 15h14',
  down: 'M5 8l5 5 5-5',
  globe: 'M10 2a8 8 0 1 0 0 16a8 8 0 0 0 0-16zM2 10h16M10 2c5 5 5 11 0 16c-5-5-5-11 0-16z',
  close: 'M5 5l10 10M15 5L5 15',
  copy: 'M7 7V3h10v10h-4M3 7h10v10H3z',
  up: 'M5 12l5-5 5 5',
} as const;

export function Icon({ name }: { readonly name: keyof typeof PATHS }) {
  return (
    <svg className="icon" viewBox="0 0 20 20" width="16" height="16" aria-hidden="true" focusable="false">
      <path d={PATHS[name]} />
    </svg>
  );
}
