export const segments = 'flex flex-wrap gap-0.5 rounded-md bg-muted p-0.5'

const base =
  'inline-flex min-h-7 flex-1 items-center justify-center gap-1.5 whitespace-nowrap rounded font-[550] text-secondary-foreground text-xs hover:text-foreground aria-[current]:bg-card aria-[current]:text-foreground aria-[current]:shadow-[0_0_0_1px_var(--border)] aria-pressed:bg-card aria-pressed:text-foreground aria-pressed:shadow-[0_0_0_1px_var(--border)]'

export const segment = `${base} px-2.5`

/** For the pane beside a case, where three links and their counts share 248 pixels. */
export const narrowSegment = `${base} px-1.5`
