import { describe, expect } from 'vitest'
import { executeCommand } from '#lib/commands/execute.ts'
import { reconcileCommand } from '#lib/commands/reconcile.ts'
import { findCommand } from '#lib/commands/store.ts'
import { store } from '#lib/store/store.ts'
import { draftOf, runCommand, serviceKindOrFail } from '#lib/testing/command-run.ts'
import { ok, ScriptedService } from '#lib/testing/scripted-service.ts'
import { configureForTest } from '#lib/testing/test-console.ts'
import { underPolicy } from '#lib/testing/test-policy.ts'
import { serviceTest } from '#lib/testing/test-worlds.ts'

const LIST = '/api/v1/merchant-terminals'
const DISABLE = '/api/v1/merchant-terminals/{terminalId}/disable'
const OPERATOR = '00000000-0000-4000-8000-000000000001'
const NEW_TERMINAL = { merchantId: 'merchant-001', terminalUid: 'PAX-NEW', label: 'counter-9' }

const test = serviceTest
  /** What the service itself says. */
  .extend('terminalsOf', ({ service }) => async (merchant: string): Promise<readonly TerminalAtService[]> => {
    const { accessToken } = await service.login('operator@example.com')
    const { data } = await service.call('GET', `${LIST}?merchantId=${merchant}`, { token: accessToken })
    return data?.terminals as unknown as readonly TerminalAtService[]
  })
  .extend('activeTerminal', ({ terminalsOf }) => async (): Promise<TerminalAtService> => {
    const terminal = (await terminalsOf('merchant-001')).find(({ status }) => status === 'ACTIVE')
    if (terminal === undefined) throw new Error('merchant-001 has no active terminal')
    return terminal
  })
  /** Settles an open command by reading until the service shows what came of it. */
  .extend('settled', ({ operator }) => async (id: string): Promise<string> => {
    for (;;) {
      const row = await findCommand(await store(), id)
      if (row === undefined) throw new Error('the command is gone')
      const { command } = await reconcileCommand(operator, row)
      if (!isOpen(command.state)) return command.state
    }
  })

interface TerminalAtService {
  readonly id: string
  readonly terminalUid: string
  readonly label: string
  readonly status: string
}

const isOpen = (state: string | undefined): boolean => state === 'unknown' || state === 'accepted'

describe('registering a terminal', () => {
  test('is confirmed in a dialog if it needs approval', async ({ operator }) => {
    const isImmediate = async () => {
      const drafted = await draftOf(operator, 'terminal.register', NEW_TERMINAL)
      return drafted.ok && drafted.draft.immediate
    }
    expect(await isImmediate()).toBe(true)
    underPolicy({ kind: 'terminal.register', approval: { by: 1 } })
    expect(await isImmediate()).toBe(false)
  })

  test('takes a UID without its invisible characters', async ({ operator, terminalsOf }) => {
    const pasted = { ...NEW_TERMINAL, merchantId: 'merchant\u200B-001', terminalUid: 'PAX\u00AD-\uFEFFNEW' }
    await runCommand(operator, 'terminal.register', pasted)
    expect(await terminalsOf('merchant-001')).toContainEqual(expect.objectContaining({ terminalUid: 'PAX-NEW' }))
  })

  test.for([
    [' PAX-NEW ', ' counter-9 ', { terminalUid: 'PAX-NEW', label: 'counter-9', status: 'ACTIVE' }],
    ['PAX-NEW', '', { terminalUid: 'PAX-NEW', label: '', status: 'ACTIVE' }],
  ] as const)(
    '%j, labelled %j, stands in the merchant’s list',
    async ([terminalUid, label, expected], { operator, terminalsOf }) => {
      const { command } = await runCommand(operator, 'terminal.register', { ...NEW_TERMINAL, terminalUid, label })
      expect(command.outcome.class).toBe('done')
      expect(await terminalsOf('merchant-001')).toContainEqual(expect.objectContaining(expected))
    },
  )

  test('a UID that this merchant has is refused at its field; one of another merchant by the service', async ({
    operator,
    terminalsOf,
  }) => {
    const [own] = await terminalsOf('merchant-001')
    const [other] = await terminalsOf('merchant-002')
    const params = { ...NEW_TERMINAL, terminalUid: own?.terminalUid }
    const drafted = await draftOf(operator, 'terminal.register', params)
    expect(drafted.ok ? [] : Object.keys(drafted.fields)).toEqual(['terminalUid'])
    const { command } = await runCommand(operator, 'terminal.register', { ...params, terminalUid: other?.terminalUid })
    expect(command.outcome).toMatchObject({
      class: 'refused',
      title: 'This UID is already registered',
      problem: { status: 409, code: 'core::tessera::terminal::already_registered' },
    })
  })

  test('a merchant that nobody knows is not found, and nothing is sent', async ({ service, operator }) => {
    const before = await service.arrived('POST', LIST)
    const drafted = await draftOf(operator, 'terminal.register', { ...NEW_TERMINAL, merchantId: 'nobody' })
    expect(drafted).toMatchObject({ ok: false, problem: { code: 'core::tessera::terminal::not_found' } })
    expect(await service.arrived('POST', LIST)).toBe(before)
  })

  test('an answer that is lost is settled by reading the list, and is sent once', async ({
    service,
    operator,
    settled,
  }) => {
    const before = await service.arrived('POST', LIST)
    await service.fault('POST', LIST, 'drop-after')
    const { command } = await runCommand(operator, 'terminal.register', NEW_TERMINAL)
    expect(command.outcome.class).toBe('unknown')
    expect(await settled(command.id)).toBe('applied')
    expect(await service.arrived('POST', LIST)).toBe(before + 1)
  })

  test.for([
    ['garble', 'accepted', true],
    [{ status: 500, code: 'core::tessera::terminal::update::fail', title: 'No' }, 'refused', false],
    [{ status: 400, code: 'core::tessera::terminal::invalid', title: 'No' }, 'refused', false],
    [{ status: 500, code: 'core::server::fail', title: 'No' }, 'unknown', false],
  ] as const)('%j is told as %s', async ([effect, outcome, happened], { service, operator, terminalsOf }) => {
    await service.fault('POST', LIST, effect)
    const { command } = await runCommand(operator, 'terminal.register', NEW_TERMINAL)
    expect(command.outcome.class).toBe(outcome)
    expect((await terminalsOf('merchant-001')).some(({ terminalUid }) => terminalUid === 'PAX-NEW')).toBe(happened)
  })

  test('a list without the UID shows no effect; one with a row that cannot be read shows nothing', async ({
    operator,
    activeTerminal,
  }) => {
    const { id, ...rest } = await activeTerminal()
    const stamps = {
      merchantId: 'merchant-001',
      registeredAt: '2026-01-01T00:00:00Z',
      updatedAt: '2026-01-01T00:00:00Z',
    }
    const readable = { id, ...rest, ...stamps }
    const scripted = await ScriptedService.start()
    const list = `GET ${LIST}?merchantId=merchant-001`
    scripted.on(list, ok({ terminals: [readable] }), ok({ terminals: [readable, { id: 7 }] }))
    configureForTest({ CORE_API_URL: scripted.url })
    const { reconcile } = serviceKindOrFail('terminal.register')
    const sent = { facts: {}, actorUserId: OPERATOR, sentAt: new Date().toISOString(), answer: null }
    expect(await reconcile?.(operator, NEW_TERMINAL, sent)).toMatchObject({ settled: false, showsNoEffect: true })
    expect(await reconcile?.(operator, NEW_TERMINAL, sent)).toMatchObject({ settled: false, showsNoEffect: false })
    await scripted.stop()
  })
})

describe('disabling a terminal', () => {
  const reason = 'stolen'

  test('takes its label as it stands, and is refused with any other', async ({
    service,
    operator,
    terminalsOf,
    activeTerminal,
  }) => {
    const { id, label } = await activeTerminal()
    const before = await service.arrived('POST', DISABLE.replace('{terminalId}', id))
    const drafted = await draftOf(operator, 'terminal.disable', { terminalId: id, reason })
    if (!drafted.ok) throw new Error(JSON.stringify(drafted))
    expect(drafted.draft.proof?.expected).toBe(label)
    const wrong = await executeCommand(operator, drafted.draft.id, { code: null, proof: `${label}0` }, () => {})
    expect(wrong).toMatchObject({ ok: true, command: { outcome: { class: 'refused', sent: false } } })
    const right = await executeCommand(operator, drafted.draft.id, { code: null, proof: ` ${label} ` }, () => {})
    expect(right).toMatchObject({ ok: true, command: { outcome: { class: 'done' } } })
    expect((await terminalsOf('merchant-001')).find((one) => one.id === id)?.status).toBe('DISABLED')
    expect(await service.arrived('POST', DISABLE.replace('{terminalId}', id))).toBe(before + 1)
  })

  test('one that is disabled already, or was meanwhile, is not sent', async ({ operator, activeTerminal }) => {
    const { id, label } = await activeTerminal()
    const [mine, theirs] = [
      await draftOf(operator, 'terminal.disable', { terminalId: id, reason }),
      await draftOf(operator, 'terminal.disable', { terminalId: id, reason }),
    ]
    if (!mine.ok || !theirs.ok) throw new Error('a draft is refused')
    await executeCommand(operator, theirs.draft.id, { code: null, proof: label }, () => {})
    const late = await executeCommand(operator, mine.draft.id, { code: null, proof: label }, () => {})
    expect(late).toMatchObject({ ok: true, command: { outcome: { class: 'changed' } } })
    const drafted = await draftOf(operator, 'terminal.disable', { terminalId: id, reason })
    expect(drafted).toMatchObject({ ok: false, fields: { terminalId: expect.stringContaining('Disabled') } })
  })

  test.for([
    ['drop-after', 'unknown', 'applied'],
    ['garble', 'accepted', 'applied'],
    [{ status: 500, code: 'core::tessera::terminal::update::fail', title: 'No' }, 'refused', 'refused'],
    [{ status: 409, code: 'core::tessera::request::invalid', title: 'No' }, 'refused', 'refused'],
  ] as const)(
    '%j is told as %s and ends as %s',
    async ([effect, outcome, end], { service, operator, activeTerminal, settled }) => {
      const { id, label } = await activeTerminal()
      await service.fault('POST', DISABLE, effect)
      const { command } = await runCommand(operator, 'terminal.disable', { terminalId: id, reason }, label)
      expect(command.outcome.class).toBe(outcome)
      const row = await findCommand(await store(), command.id)
      expect(isOpen(row?.state) ? await settled(command.id) : row?.state).toBe(end)
    },
  )

  test('tells the present state with a conflict', async ({ service, operator, activeTerminal }) => {
    const { id, label } = await activeTerminal()
    const conflict = { status: 409, code: 'core::tessera::request::invalid', title: 'No' }
    await service.fault('POST', DISABLE, conflict)
    const { command } = await runCommand(operator, 'terminal.disable', { terminalId: id, reason }, label)
    const advice = expect.stringMatching(/^The terminal is Active, last changed \d{4}-.* UTC\.$/)
    expect(command.outcome).toMatchObject({ class: 'refused', title: 'Its state does not allow this change', advice })
  })

  test('an id that is none, no reason, and a terminal that nobody knows are refused', async ({ operator }) => {
    const fieldsOf = async (params: object) => {
      const drafted = await draftOf(operator, 'terminal.disable', params)
      return drafted.ok ? [] : Object.keys(drafted.fields)
    }
    expect(await fieldsOf({ terminalId: '..', reason })).toEqual(['terminalId'])
    expect(await fieldsOf({ terminalId: OPERATOR, reason: ' ' })).toEqual(['reason'])
    const drafted = await draftOf(operator, 'terminal.disable', { terminalId: OPERATOR, reason })
    expect(drafted).toMatchObject({ ok: false, problem: { code: 'core::tessera::terminal::not_found' } })
  })
})
