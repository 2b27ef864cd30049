import { type Adapter, type AdapterPayload, errors } from 'oidc-provider'
import type { World } from '#sandbox/world/world.ts'

const parse = (payload: string, consumedAt: number | null): AdapterPayload => ({
  ...(JSON.parse(payload) as AdapterPayload),
  ...(consumedAt === null ? {} : { consumed: consumedAt }),
})

export function adapterFor(world: World): (model: string) => Adapter {
  return (model) => new OidcAdapter(world, model)
}

class OidcAdapter implements Adapter {
  readonly #world: World
  readonly #model: string

  constructor(world: World, model: string) {
    this.#world = world
    this.#model = model
  }

  async upsert(id: string, payload: AdapterPayload, expiresInSeconds?: number): Promise<void> {
    const values = {
      payload: JSON.stringify(payload),
      grant_id: payload.grantId ?? null,
      uid: payload.uid ?? null,
      user_code: payload.userCode ?? null,
      expires_at: expiresInSeconds === undefined ? null : this.#nowSeconds() + expiresInSeconds,
    }
    await this.#world.db
      .insertInto('oidc_record')
      .values({ model: this.#model, id, consumed_at: null, ...values })
      .onConflict((conflict) => conflict.columns(['model', 'id']).doUpdateSet(values))
      .execute()
  }

  find(id: string): Promise<AdapterPayload | undefined> {
    return this.#findBy('id', id)
  }

  findByUid(uid: string): Promise<AdapterPayload | undefined> {
    return this.#findBy('uid', uid)
  }

  findByUserCode(userCode: string): Promise<AdapterPayload | undefined> {
    return this.#findBy('user_code', userCode)
  }

  /** Of concurrent uses of one token, only the first succeeds. */
  async consume(id: string): Promise<void> {
    const spent = await this.#world.db
      .updateTable('oidc_record')
      .set({ consumed_at: this.#nowSeconds() })
      .where('model', '=', this.#model)
      .where('id', '=', id)
      .where('consumed_at', 'is', null)
      .executeTakeFirst()
    if (spent.numUpdatedRows === 0n) throw new errors.InvalidGrant('already used')
  }

  async destroy(id: string): Promise<void> {
    await this.#world.db.deleteFrom('oidc_record').where('model', '=', this.#model).where('id', '=', id).execute()
  }

  async revokeByGrantId(grantId: string): Promise<void> {
    await this.#world.db.deleteFrom('oidc_record').where('grant_id', '=', grantId).execute()
  }

  async #findBy(column: 'id' | 'uid' | 'user_code', value: string): Promise<AdapterPayload | undefined> {
    const row = await this.#world.db
      .selectFrom('oidc_record')
      .select(['payload', 'consumed_at', 'expires_at'])
      .where('model', '=', this.#model)
      .where(column, '=', value)
      .executeTakeFirst()
    if (row === undefined) return undefined
    if (row.expires_at !== null && row.expires_at <= this.#nowSeconds()) return undefined
    return parse(row.payload, row.consumed_at)
  }

  #nowSeconds(): number {
    return Math.floor(this.#world.wallMilliseconds() / 1000)
  }
}
