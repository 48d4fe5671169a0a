// How heroes die in a section, in words.

/** Who is fought in a section: those of Lone Wolf's rules with their figures. */
export const fought = ({ enemies, fights }) => (enemies.length === 0 ? fights
  : [...new Set(enemies.map(({ name, combat_skill, endurance }) => `${name} (${combat_skill}/${endurance})`))]);

/** What is dangerous in a section. */
export const dangers = (section) =>
  [...fought(section), ...section.deaths, section.deadly && !section.deaths.length && "the story ends here for some"].filter(Boolean).join(", ");
