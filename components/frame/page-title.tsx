/** Not metadata: Next inserts that after the page, and the tab would have no title until then. */
export const PageTitle = ({ children }: { children: string }) => <title>{titleOf(children)}</title>

export const titleOf = (page: string): string => `${page} · Operator Console`
