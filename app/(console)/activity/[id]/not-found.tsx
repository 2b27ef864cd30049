import { PageHead } from '#components/frame/page-head.tsx'
import { ButtonLink } from '#components/frame/panel.tsx'

/** One answer for records that do not exist and those that the person may not see. */
export default function ChangeNotFound() {
  return (
    <>
      <PageHead title="Activity" lead="Not found, or not visible to you" />
      <p className="mb-4 max-w-prose text-secondary-foreground">
        Check the address. You see others’ activity only where you have access.
      </p>
      <ButtonLink href="/" variant="outline">
        Go to Home
      </ButtonLink>
    </>
  )
}
