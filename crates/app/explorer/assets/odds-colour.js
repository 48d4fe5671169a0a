// The colours of odds on maps.

/**
 * The colour of a chance: blue above the one at the start, orange below it. Above, equal steps of colour are equal
 * factors, since the chances of a hard book lie close together.
 */
export function colour(chance, atStart) {
  if (chance <= atStart || atStart <= 0) {
    const share = atStart > 0 ? chance / atStart : 1;
    return `color-mix(in oklab, var(--even) ${100 * share}%, var(--lose))`;
  }
  const share = atStart < 1 ? 1 - Math.log(chance) / Math.log(atStart) : 1;
  return `color-mix(in oklab, var(--win) ${100 * share}%, var(--even))`;
}
