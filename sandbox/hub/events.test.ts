import { afterEach, beforeAll, describe, expect, test } from 'vitest'
import { hubEvents } from '#lib/contract/disputes.ts'
import { ANA, BEN, disputeCalls, listed } from '#sandbox/disputes/test-disputes.ts'
import { type Json, type TestSandbox, testSandbox } from '#sandbox/testing/test-sandbox.ts'
import { hubOf } from './test-hub.ts'

let box: TestSandbox
let hub: ReturnType<typeof hubOf>
let call: ReturnType<typeof disputeCalls>

beforeAll(async () => {
  box = await testSandbox()
  hub = hubOf(box)
  call = disputeCalls(box)
  await box.reset()
})
afterEach(() => hub.stopAll())

describe('MessagePosted', () => {
  test('reaches every joined connection, the sender’s too, with the message as REST has it', async () => {
    const { id } = await call.opened()
    const clients = await Promise.all(
      ['ana@example.com', 'ben@example.com', 'ben@example.com', 'arbitrator@example.com'].map((as) => hub.connect(as)),
    )
    for (const client of clients) await client.join(id)
    const posted = (await call.post(id, 'Where is it?')).body.data
    for (const client of clients) {
      const message = await client.next('MessagePosted')
      expect(message).toEqual(posted)
      expect(hubEvents.MessagePosted.safeParse(message).success).toBe(true)
    }
  })

  test('leaves after the commit: whoever hears it finds it', async () => {
    const { id } = await call.opened()
    const { db, disputeEvents } = box.sandbox.world
    const found: Promise<unknown>[] = []
    const stop = disputeEvents.listen(({ payload }) => {
      const table = 'disputeCaseId' in payload ? 'dispute_message' : 'dispute_case'
      found.push(db.selectFrom(table).select('id').where('id', '=', payload.id).executeTakeFirst())
    })
    for (let n = 0; n < 10; n += 1) await call.post(id, String(n))
    await call.opened()
    await call.resolve(id)
    stop()
    expect(found).toHaveLength(13)
    for (const row of await Promise.all(found)) expect(row).toBeDefined()
  })

  test('comes once for each message, however many are posted at once', async () => {
    const { id } = await call.opened()
    const ben = await hub.connect('ben@example.com')
    await ben.join(id)
    await Promise.all(Array.from({ length: 30 }, (_, n) => call.post(id, String(n))))
    const heard = await Promise.all(Array.from({ length: 30 }, () => ben.next('MessagePosted')))
    const thread = listed(await call.messages(id, '?pageSize=100'), 'messages').slice(1)
    const ids = (messages: readonly Json[]) => messages.map((message) => message.id).sort()
    expect(ids(heard)).toEqual(ids(thread))
    await ben.leave(id)
    expect(ben.heard).toHaveLength(30)
  })

  test('reaches nobody who has not joined this case, has left it, or when the post is refused', async () => {
    const [one, other] = [await call.opened(), await call.opened()]
    const [ben, gone, elsewhere] = [
      await hub.connect('ben@example.com'),
      await hub.connect('ben@example.com'),
      await hub.connect('ben@example.com'),
    ]
    await elsewhere.join(other.id)
    await gone.join(one.id)
    await gone.leave(one.id)
    await call.post(one.id, 'Hi')
    await call.post(other.id, '')
    // Whatever was sent to a connection before the answer to this has arrived with it.
    for (const client of [ben, gone, elsewhere]) {
      await client.leave(other.id)
      expect(client.heard).toEqual([])
    }
  })
})

describe('CaseOpened', () => {
  test('reaches every connection of who the case is raised against, and nobody else', async () => {
    const [phone, desk] = [await hub.connect('ben@example.com'), await hub.connect('ben@example.com')]
    const others = await Promise.all(
      ['ana@example.com', 'cleo@example.com', 'arbitrator@example.com'].map((as) => hub.connect(as)),
    )
    const raised = (await call.raise(await call.protect(), ANA)).body
    for (const client of [phone, desk]) {
      const opened = await client.next('CaseOpened')
      expect(opened).toEqual(raised)
      expect(hubEvents.CaseOpened.safeParse(opened).success).toBe(true)
    }
    const { id } = await call.opened()
    const arbitrator = others[2]
    await arbitrator?.join(id)
    expect(others.flatMap(({ heard }) => heard)).toEqual([])
  })

  test('in a purchase reaches the merchant’s owner', async () => {
    const cleo = await hub.connect('cleo@example.com')
    const raised = (await call.raise(await call.buy())).body
    expect(await cleo.next('CaseOpened')).toEqual(raised)
  })
})

describe('CaseResolved', () => {
  test.each([true, false])('follows the service’s last message, to all who joined; released: %s', async (released) => {
    const { id } = await call.opened()
    const clients = [await hub.connect('ana@example.com'), await hub.connect('arbitrator@example.com')]
    const apart = await hub.connect('ben@example.com')
    for (const client of clients) await client.join(id)
    await call.resolve(id, { releaseToRecipient: released })
    const { messages, ...row } = (await call.read(id)).body.data ?? {}
    const last = (messages as unknown as readonly object[]).at(-1)
    for (const client of clients) {
      const resolved = await client.next('CaseResolved')
      expect(hubEvents.CaseResolved.safeParse(resolved).success).toBe(true)
      expect(client.heard).toEqual([
        { name: 'MessagePosted', payload: last },
        { name: 'CaseResolved', payload: row },
      ])
    }
    await apart.join(id)
    expect(apart.heard).toEqual([])
  })

  test('does not come when only the money is moved', async () => {
    const { id, referenceId } = await call.opened()
    const ana = await hub.connect('ana@example.com')
    await ana.join(id)
    await call.resolveByTransaction(referenceId)
    await ana.join(id)
    expect(ana.heard).toEqual([])
  })
})

describe('JoinCase', () => {
  test('is refused to who cannot read the case by REST, and they hear nothing', async () => {
    const { id } = await call.opened()
    for (const as of ['dario@example.com', 'operator@example.com', 'viewer@example.com']) {
      const client = await hub.connect(as)
      await expect(client.join(id)).rejects.toThrow('core::disputes::not_found')
      await expect(client.leave(id)).rejects.toThrow('core::disputes::not_found')
      await call.post(id, 'Hi')
      await client.leave(id).catch(() => {})
      expect(client.heard).toEqual([])
      expect(client.connection.state).toBe('Connected')
    }
  })

  test('meets faults: refused as often as asked, then as always; the connection stays', async () => {
    const { id } = await call.opened()
    const ana = await hub.connect('ana@example.com')
    const effect = { status: 403, code: 'core::disputes::no', title: 'No.' }
    await box.call('POST', '/sandbox/faults', {
      body: { method: 'CALL', path: '/hubs/disputes/JoinCase', times: 2, effect },
    })
    for (const _ of [1, 2]) await expect(ana.join(id)).rejects.toThrow('core::disputes::no: No.')
    await call.post(id, 'Hi')
    expect(ana.heard).toEqual([])
    await ana.join(id)
    expect(ana.connection.state).toBe('Connected')
  })

  test('judges anew every time: whoever lost the scope joins nothing more', async () => {
    const { id } = await call.opened()
    const ben = await hub.connect('ben@example.com')
    await ben.join(id)
    await box.give('', BEN)
    await expect(ben.join(id)).rejects.toThrow('core:disputes:read')
    await box.give('HOLDER', BEN)
  })

  test.each([
    ['no case has this id', '00000000-0000-4000-8000-00000000ffff', 'core::disputes::not_found'],
    ['no UUID', 'unknown', 'core::disputes::not_found'],
    ['NUL', '\0', 'core::disputes::not_found'],
    ['a number', 7, 'core::hub::arguments'],
    ['null', null, 'core::hub::arguments'],
    ['a list', ['x'], 'core::hub::arguments'],
  ])('is refused: %s', async (_what, id, code) => {
    const ana = await hub.connect('ana@example.com')
    await expect(ana.join(id)).rejects.toThrow(code)
  })

  test('twice is once', async () => {
    const { id } = await call.opened()
    const ana = await hub.connect('ana@example.com')
    await ana.join(id)
    await ana.join(id.toUpperCase())
    await call.post(id, 'Hi')
    await ana.leave(id)
    expect(ana.heard).toHaveLength(1)
  })

  test('other methods, and other numbers of arguments, are refused; the connection stays', async () => {
    const { id } = await call.opened()
    const { connection } = await hub.connect('ana@example.com')
    for (const name of ['PostMessage', 'joinCase', 'constructor']) {
      await expect(connection.invoke(name, id), name).rejects.toThrow('core::hub::method')
    }
    await expect(connection.invoke('JoinCase')).rejects.toThrow('core::hub::arguments')
    await expect(connection.invoke('JoinCase', id, id)).rejects.toThrow('core::hub::arguments')
    await connection.send('JoinCase', id)
    expect(connection.state).toBe('Connected')
  })
})
