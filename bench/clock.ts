/**
 * What is to be added to `performance.now()` for the machine's wall clock, in milliseconds, good to a tenth of one. A page
 * runs it as well (nothing from outside is used), so that two processes' times can be subtracted: `Date.now()` alone knows
 * whole milliseconds only, and `performance.timeOrigin` is as old as the process.
 */
export function wallClockOffset(): number {
  const looks = Array.from({ length: 20 }, () => {
    const began = Date.now()
    let now = began
    while (now === began) now = Date.now()
    return now - performance.now()
  })
  // A look that was interrupted between its two times found too little.
  return Math.max(...looks)
}
