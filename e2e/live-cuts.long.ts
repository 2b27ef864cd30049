import { test } from './support/fixtures.ts'
import { expectSameThroughCuts } from './support/hub-cuts.ts'

test('two who watch one case through fifty cuts of the hub end with the service’s thread', async ({
  browser,
  page,
  programs,
  sandbox,
}) => {
  // Of 0 to 5 seconds, short and long ones mixed.
  const downMs = Array.from({ length: 50 }, (_, at) => (at * 1_700) % 5_001)
  await expectSameThroughCuts({ browser, page, programs, sandbox, downMs })
})
