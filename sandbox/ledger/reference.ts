import { type Randomness, systemRandomness } from '#sandbox/world/random.ts'

/** References are opaque: clients must not parse them. */
export function newReference(kind: string, at: string, random: Randomness = systemRandomness): string {
  const hex = random.bytes(6).toString('hex')
  return `${kind}~${hex.slice(0, 8)}-${hex.slice(8)}.${at.slice(0, 10).replaceAll('-', '')}`
}

const CONTRACT_ADDRESS = '0x5afe00000000000000000000000000000000d0c5'
const CONTRACT_VERSION = '1.0.0'

export const onChain = (random: Randomness = systemRandomness) => ({
  chain_reference_id: `0x${random.bytes(32).toString('hex')}`,
  tx_contract_address: CONTRACT_ADDRESS,
  tx_contract_version: CONTRACT_VERSION,
})
