import { PageHead } from '#components/frame/page-head.tsx'
import { ButtonLink } from '#components/frame/panel.tsx'
import { accessPage } from '../../../page-reads.tsx'
import { RehearsePolicy } from './rehearse-policy.tsx'

const head = {
  title: 'Rehearse a policy',
  lead: 'What a policy file would have decided about the changes that were sent. Nothing is stored or changed.',
  action: (
    <ButtonLink href="/security/policy" variant="outline">
      Policy
    </ButtonLink>
  ),
}

export default accessPage({
  head,
  panel: 'Policy file',
  entry: 'policyRehearsal.read',
  read: async () => (
    <>
      <PageHead {...head} />
      <RehearsePolicy />
    </>
  ),
})
