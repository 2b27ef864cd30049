/** Whether the long forms run: set by `npm run test:long`. */
export const LONG = process.env.TEST_LONG === 'on'

const SHORT_RUNS = 10

/** How often a test does the same thing: ten times, and as often as given in `npm run test:long`. */
export const runs = (long: number): number => (LONG ? long : SHORT_RUNS)
