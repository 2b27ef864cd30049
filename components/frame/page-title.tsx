/**
 * The page's title in the browser. Part of the page rather than its metadata, which the framework puts in a moment after the
 * page: in between there would be none.
 */
export const PageTitle = ({ children }: { children: string }) => <title>{titleOf(children)}</title>

export const titleOf = (page: string): string => `${page} · Operator Console`
