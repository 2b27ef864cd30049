export const caseFrame =
  '-mx-4 -my-5 short:-my-3 sm:-mx-6 flex h-[calc(100dvh-var(--bar-height))] min-h-96 short:min-h-64 flex-col'
export const caseColumns =
  'grid min-h-0 flex-1 grid-cols-[minmax(0,1fr)] wide:grid-cols-[clamp(200px,19vw,272px)_minmax(0,1fr)_328px]'
export const caseTabs = 'flex gap-1 border-b p-1.5 short:p-0.5 wide:hidden'
export const caseHeadLine = 'flex h-13 short:h-10 items-center gap-2 px-4 @max-[400px]:gap-1.5 @max-[400px]:px-3'
export const factsPane = 'min-h-0 min-w-0 flex-col gap-3 overflow-y-auto p-4 wide:border-l'
