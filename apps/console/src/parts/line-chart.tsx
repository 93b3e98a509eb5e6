import { scaleLinear, scaleUtc } from 'd3-scale';
import { line } from 'd3-shape';
import { useEffect, useRef, useState } from 'react';
import type { Point, Series } from './series.ts';

interface LineChartProps {
  /** For screen readers, which find the values in a table beside the chart. */
  readonly label: string;
  /** At most two: the second one is dashed. */
  readonly series: readonly Series[];
  readonly valueText: (value: number) => string;
  readonly dayText: (day: string) => string;
}

const HEIGHT = 240;
const MARGIN = { top: 12, right: 20, bottom: 28, left: 64 };
const NARROWEST = 280;
const VALUE_TICKS = 5;
/** Pixels for the text of a day. */
const DAY_WIDTH = 110;
/** With more points, the dots would be a line. */
const DOTS_MAX = 40;

const at = (day: string): Date => new Date(`${day}T00:00:00Z`);

/**
 * Values over days, as SVG: D3 computes scales and paths, React draws them. All looks are classes, because the policy of
 * the page forbids inline styles. Time runs from left to right in every language; each day is isolated from that.
 */
export function LineChart({ label, series, valueText, dayText }: LineChartProps) {
  const place = useRef<HTMLElement>(null);
  const width = useWidth(place);
  const points = series.flatMap((one) => one.points);
  return (
    <figure className="chart" ref={place}>
      {points.length > 0 && width > 0 && (
        <svg width={width} height={HEIGHT} viewBox={`0 0 ${width} ${HEIGHT}`} role="img" aria-label={label}>
          <Plot {...{ series, width, valueText, dayText }} />
        </svg>
      )}
      <figcaption>
        {series.map(({ id, name }, index) => (
          <span key={id} className="chart-key">
            <svg width="24" height="8" aria-hidden="true" focusable="false">
              <path d="M0 4H24" className={`chart-line of-${index}`} />
            </svg>
            {name}
          </span>
        ))}
      </figcaption>
    </figure>
  );
}

interface PlotProps extends Omit<LineChartProps, 'label'> {
  readonly width: number;
}

function Plot({ series, width, valueText, dayText }: PlotProps) {
  const points = series.flatMap((one) => one.points);
  const days = points.map(({ day }) => day).sort();
  const values = points.map(({ value }) => value);
  const [first, last] = [days[0] ?? '', days.at(-1) ?? ''];
  const x = scaleUtc([at(first), at(last)], [MARGIN.left, width - MARGIN.right]);
  const y = scaleLinear(
    [Math.min(...values), Math.max(...values)],
    [HEIGHT - MARGIN.bottom, MARGIN.top],
  ).nice(VALUE_TICKS);
  const path = line<Point>(
    ({ day }) => x(at(day)),
    ({ value }) => y(value),
  );
  const dayTicks = first === last ? [at(first)] : spaced(x.ticks(Math.floor(width / DAY_WIDTH)), width);
  return (
    <>
      {y.ticks(VALUE_TICKS).map((value) => (
        <g key={value} transform={`translate(0 ${y(value)})`}>
          <path className="chart-grid" d={`M${MARGIN.left} 0H${width - MARGIN.right}`} />
          <text className="chart-value" x={MARGIN.left - 8} dy="0.32em">
            {valueText(value)}
          </text>
        </g>
      ))}
      {dayTicks.map((day) => (
        <text
          key={day.getTime()}
          className="chart-day"
          x={Math.min(Math.max(x(day), MARGIN.left), width - DAY_WIDTH / 2)}
          y={HEIGHT - 8}
        >
          {`\u2068${dayText(day.toISOString().slice(0, 10))}\u2069`}
        </text>
      ))}
      {series.map(({ id, points: own }, index) => (
        <g key={id}>
          <path className={`chart-line of-${index}`} d={path(own) ?? ''} />
          {own.length <= DOTS_MAX &&
            own.map(({ day, value }) => (
              <circle key={day} className={`chart-dot of-${index}`} cx={x(at(day))} cy={y(value)} r={2.5} />
            ))}
        </g>
      ))}
    </>
  );
}

/** D3 takes the count as a hint: leaves out days that would overlap. */
function spaced(days: readonly Date[], width: number): readonly Date[] {
  const each = Math.ceil((days.length * DAY_WIDTH) / (width - MARGIN.left));
  return days.filter((_, index) => index % Math.max(1, each) === 0);
}

/** The width of an element, as the window changes; 0 at first. */
function useWidth(place: { readonly current: HTMLElement | null }): number {
  const [width, setWidth] = useState(0);
  useEffect(() => {
    const observer = new ResizeObserver(([entry]) =>
      setWidth(Math.max(NARROWEST, Math.floor(entry?.contentRect.width ?? 0))),
    );
    if (place.current) observer.observe(place.current);
    return () => observer.disconnect();
  }, [place]);
  return width;
}
