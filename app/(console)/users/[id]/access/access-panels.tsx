import { Panel, TwoColumns } from '#components/frame/panel.tsx'
import { Badge } from '#components/ui/badge.tsx'
import { Check, Minus } from '#components/ui/icons.tsx'
import { Copyable } from '#components/values/copyable.tsx'
import { Fact, Facts, ServiceName } from '#components/values/facts.tsx'
import { Reference } from '#components/values/reference.tsx'
import { type AccessArea, accessByArea, areaWords, type ScopeOfArea, type UserAccess } from '#lib/users/user-service.ts'
import { counted, serviceWord } from '#lib/values/words.ts'

export const AccessPanels = ({ access }: { access: UserAccess }) => (
  <TwoColumns>
    <Panel
      title="Scopes"
      aside={<span className="text-muted-foreground text-xs">{counted(access.scopes.length, 'scope')} held</span>}
    >
      <div className="grid gap-x-8 gap-y-4 p-3.5 sm:grid-cols-2">
        {accessByArea(access.scopes).map((area) => (
          <Area key={area.area} area={area} />
        ))}
      </div>
      <p className="border-t px-3.5 py-3 text-muted-foreground text-xs">
        For display only. The service decides at each request.
      </p>
    </Panel>
    <Panel title="Identity at the service">
      <Facts>
        <Fact label="Roles">
          {access.roles.length === 0 ? (
            'none'
          ) : (
            <span className="flex flex-wrap justify-end gap-1">
              {access.roles.map((role) => (
                <Badge key={role} variant="neutral">
                  <ServiceName of="role" name={role} />
                </Badge>
              ))}
            </span>
          )}
        </Fact>
        <Fact label="KYC status">not readable here</Fact>
      </Facts>
      <p className="border-t px-3.5 py-3 text-muted-foreground text-xs">
        The service does not show KYC results, names, e-mail addresses or balances of other people.
      </p>
    </Panel>
  </TwoColumns>
)

const Area = ({ area: { area, scopes } }: { area: AccessArea }) => (
  <section>
    <h3 className="mb-1 font-semibold text-sm">{areaWords(area)}</h3>
    <ul>
      {scopes.map((scope) => (
        <ScopeLine key={scope.scope} scope={scope} />
      ))}
    </ul>
  </section>
)

const ScopeLine = ({ scope: { scope, held } }: { scope: ScopeOfArea }) => (
  <li className="flex min-h-7 items-center gap-2 text-sm">
    {held ? (
      <Check aria-hidden className="size-4 text-good" />
    ) : (
      <Minus aria-hidden className="size-4 text-muted-foreground" />
    )}
    <ScopeName scope={scope} className={held ? 'text-left' : 'text-left text-muted-foreground'} />
    <span className="ml-auto text-muted-foreground text-xs">{held ? 'held' : 'not held'}</span>
  </li>
)

function ScopeName({ scope, className }: { scope: string; className: string }) {
  const word = serviceWord('scope', scope)
  if (word === null) return <Reference value={scope} name="scope" whole className={className} />
  return (
    <Copyable value={scope} action={`copy ${scope}`} className={className}>
      {word}
    </Copyable>
  )
}
