/**
 * Milliseconds from `performance.now()` to the wall clock, to a tenth of one; `Date.now()` has whole ones only. Also runs in
 * a page, so it uses nothing from outside.
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
