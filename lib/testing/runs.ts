/** Whether the long forms run: set by `npm run test:long`. */
export const LONG = process.env.TEST_LONG === 'on'

const SHORT_RUNS = 5

/** How often a test does the same thing: five times, and as often as given in `npm run test:long`. */
export const runs = (long: number): number => (LONG ? long : SHORT_RUNS)
