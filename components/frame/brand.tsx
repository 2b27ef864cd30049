export const BRAND_RING = 'M16 8a8 8 0 1 0 0 16 8 8 0 0 0 0-16Zm0 3.6a4.4 4.4 0 1 1 0 8.8 4.4 4.4 0 0 1 0-8.8Z'

export function Brand({ nameClass = '' }: { nameClass?: string }) {
  return (
    <span className="flex items-center gap-2.5 font-[650] tracking-[-0.01em]">
      <svg viewBox="0 0 32 32" aria-hidden="true" className="size-5 shrink-0 text-primary">
        <rect width="32" height="32" rx="7" fill="currentColor" />
        <path d={BRAND_RING} className="fill-primary-foreground" />
      </svg>
      <span className={nameClass}>Operator Console</span>
    </span>
  )
}

/** Not metadata: Next inserts that after the page, and the tab would have no title until then. */
export const PageTitle = ({ children }: { children: string }) => <title>{titleOf(children)}</title>

export const titleOf = (page: string): string => `${page} · Operator Console`
