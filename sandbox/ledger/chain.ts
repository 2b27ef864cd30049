import { newHex, type Randomness } from '#sandbox/world/random.ts'

const CONTRACT_ADDRESS = '0x5afe00000000000000000000000000000000d0c5'
const CONTRACT_VERSION = '1.0.0'

export const onChain = (random: Randomness) => ({
  chain_reference_id: newHex(random, 32),
  tx_contract_address: CONTRACT_ADDRESS,
  tx_contract_version: CONTRACT_VERSION,
})
