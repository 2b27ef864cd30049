/** A few links side by side, of which one is where the person is. */
export const segments = 'flex gap-0.5 rounded-md bg-sunken p-0.5'

const base =
  'inline-flex min-h-7 flex-1 items-center justify-center gap-1.5 whitespace-nowrap rounded font-[550] text-ink-2 text-xs hover:text-ink aria-[current]:bg-surface aria-[current]:text-ink aria-[current]:shadow-[0_0_0_1px_var(--line)] aria-pressed:bg-surface aria-pressed:text-ink aria-pressed:shadow-[0_0_0_1px_var(--line)]'

export const segment = `${base} px-2.5`

/** For the pane beside a case, where three of them and their counts share 248 pixels. */
export const narrowSegment = `${base} px-1.5`
