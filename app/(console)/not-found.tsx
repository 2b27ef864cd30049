import { PageTitle } from '#components/frame/brand.tsx'
import { TextLink } from '#components/frame/panel.tsx'

/** Only for `notFound()` in a page. An address without a route is answered without the frame. */
export default function NotFound() {
  return (
    <>
      <PageTitle>Page not found</PageTitle>
      <h1>Page not found</h1>
      <p className="mt-1 text-secondary-foreground">
        <TextLink href="/">Go to Home</TextLink>
      </p>
    </>
  )
}
