// Where the points of a plot lie. Pure: numbers in, numbers out, in units of the drawing.

export interface Scale {
  /** The height of a value. */
  y(value: number): number;
  /** The middle of the place of a step. */
  x(step: number): number;
  /** How wide a step's place is. */
  readonly width: number;
  readonly least: number;
  readonly most: number;
}

export const EDGE = { top: 10, bottom: 10, left: 4, right: 4 } as const;

/** Sums so far: what all steps up to each one come to. */
export function runningSums(values: readonly number[]): number[] {
  let sum = 0;
  return values.map((value) => (sum += value));
}

/** A scale for values, zero always among them. */
export function scaleOf(values: readonly number[], width: number, height: number): Scale {
  const least = Math.min(0, ...values);
  const most = Math.max(0, ...values);
  const span = most - least || 1;
  const inner = Math.max(1, height - EDGE.top - EDGE.bottom);
  const step = Math.max(1, width - EDGE.left - EDGE.right) / Math.max(1, values.length);
  return {
    y: (value) => EDGE.top + ((most - value) / span) * inner,
    x: (number) => EDGE.left + step * (number + 0.5),
    width: step,
    least,
    most,
  };
}

/** The step under a place of the drawing. */
export function stepAt(scale: Scale, x: number, count: number): number {
  return Math.max(0, Math.min(count - 1, Math.floor((x - EDGE.left) / scale.width)));
}
