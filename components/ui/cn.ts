import { clsx } from 'clsx'

/** Joins class names; falsy ones are left out. Two that say the same thing must not meet: the style sheet's order decides. */
export const cn = clsx
