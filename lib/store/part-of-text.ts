import 'server-only'

/** Shorter parts match nearly everything. */
export const PART_MIN_CHARS = 3

/** For ILIKE; escapes its wildcards. */
export const partPattern = (part: string): string => `%${part.replace(/[\\%_]/g, '\\$&')}%`
