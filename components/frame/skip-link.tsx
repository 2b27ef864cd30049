/** `to` is the id of a focusable element. */
export const SkipLink = ({ to, children }: { to: string; children: string }) => (
  <a
    href={`#${to}`}
    className="sr-only focus:not-sr-only focus:fixed focus:top-2 focus:left-2 focus:z-50 focus:rounded focus:bg-primary focus:px-3 focus:py-2 focus:text-primary-foreground"
  >
    {children}
  </a>
)
