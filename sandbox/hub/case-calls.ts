import { hubMethods } from '#lib/contract/disputes.ts'
import { visibleCase } from '#sandbox/disputes/visible.ts'
import { type Caller, requireScope } from '#sandbox/http/caller.ts'
import { Refusal } from '#sandbox/http/problem.ts'
import type { World } from '#sandbox/world/world.ts'

export const HUB_SCOPE = 'core:disputes:read'

/** Uses the same check as reading the case, so that no one can listen to a case that they cannot read. */
export async function callCaseMethod(
  world: World,
  caller: Caller,
  joined: Set<string>,
  target: string,
  args: readonly unknown[],
): Promise<void> {
  const methods: readonly string[] = [hubMethods.join, hubMethods.leave]
  if (!methods.includes(target)) throw new Refusal(404, 'core::hub::method', 'The hub has no such method.')
  const [caseId] = args
  if (args.length !== 1 || typeof caseId !== 'string') {
    throw new Refusal(400, 'core::hub::arguments', `${target} takes the id of a case.`)
  }
  // Leaving always works, but only a person who may see the case learns whether it exists.
  if (target === hubMethods.leave) joined.delete(caseId.toLowerCase())
  requireScope(caller, HUB_SCOPE)
  const { id } = await visibleCase(world.db, caller, caseId)
  if (target === hubMethods.join) joined.add(id)
}
