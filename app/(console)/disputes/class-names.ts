export const segments = 'flex flex-wrap gap-0.5 rounded-md bg-muted p-0.5'

const base =
  'inline-flex min-h-7 flex-1 items-center justify-center gap-1.5 whitespace-nowrap rounded font-[550] text-secondary-foreground text-xs hover:text-foreground aria-[current]:bg-card aria-[current]:text-foreground aria-[current]:shadow-[0_0_0_1px_var(--border)] aria-pressed:bg-card aria-pressed:text-foreground aria-pressed:shadow-[0_0_0_1px_var(--border)]'

export const segment = `${base} px-2.5`

/** For the pane beside a case, where three links and their counts share 248 pixels. */
export const narrowSegment = `${base} px-1.5`

export const caseFrame =
  '-mx-4 -my-5 short:-my-3 sm:-mx-6 flex h-[calc(100dvh-var(--bar-height))] min-h-96 short:min-h-64 flex-col print:m-0 print:block print:h-auto'
export const caseColumns =
  'grid min-h-0 flex-1 grid-cols-[minmax(0,1fr)] wide:grid-cols-[clamp(200px,19vw,272px)_minmax(0,1fr)_328px] print:block'
export const caseTabs = 'flex gap-1 border-b p-1.5 short:p-0.5 wide:hidden print:hidden'
export const caseHeadLine = 'flex h-11 short:h-10 items-center gap-2 px-4 @max-[400px]:gap-1.5 @max-[400px]:px-3'
export const caseHeadPeople = 'flex h-6 short:h-0 items-center gap-3 overflow-hidden px-4 pb-1.5 short:pb-0'
export const factsPane = 'min-h-0 min-w-0 flex-col gap-3 overflow-y-auto p-4 wide:border-l'
