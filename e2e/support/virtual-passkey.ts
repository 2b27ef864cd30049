import type { CDPSession, Page } from '@playwright/test'
import { expect } from './fixtures.ts'

/** An authenticator that Chromium itself has, for one page. */
export interface VirtualPasskey {
  /** Whether the next time it finds its person to be who they are. */
  verifies(verifies: boolean): Promise<void>
  remove(): Promise<void>
}

export async function virtualPasskey(page: Page): Promise<VirtualPasskey> {
  const client: CDPSession = await page.context().newCDPSession(page)
  await client.send('WebAuthn.enable')
  const { authenticatorId } = await client.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  })
  return {
    verifies: async (isUserVerified) => {
      await client.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified })
    },
    remove: async () => {
      await client.send('WebAuthn.removeVirtualAuthenticator', { authenticatorId })
    },
  }
}

export const passkeysPanel = (page: Page) =>
  page.locator('section').filter({ has: page.getByRole('heading', { name: 'Passkeys', exact: true }) })

/** From the Security page, with a code of the person's authenticator. */
export async function addPasskey(page: Page, name: string, code: string): Promise<void> {
  await page.goto('/security')
  const panel = passkeysPanel(page)
  // What stands above may be higher once it is here, and a button that moves under the pointer is not pressed.
  await expect(page.locator('[aria-busy="true"]')).toHaveCount(0)
  await panel.getByRole('button', { name: 'Add a passkey' }).click()
  await panel.getByLabel('Name of the passkey').fill(name)
  await panel.getByLabel('Code').fill(code)
  await panel.getByRole('button', { name: 'Add the passkey' }).click()
  await expect(panel).toContainText(`The passkey “${name}” was added.`)
}
