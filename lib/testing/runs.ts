/** Whether the long forms run: set by `npm run test:long`. */
export const LONG = process.env.TEST_LONG === 'on'

/** How often a test does the same thing: `long` times in `npm run test:long`. */
export const runs = (long: number, short = 5): number => (LONG ? long : short)
